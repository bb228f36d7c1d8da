/** Announcements that were read on this device, by table and time. */
const KEPT = "openplan.announced";
const MOST = 50;

export function announcementsRead(): string[] {
  try {
    return (JSON.parse(localStorage.getItem(KEPT) ?? "[]") ?? []) as string[];
  } catch {
    return [];
  }
}

/** All that were read, with this one. */
export function readAnnouncement(name: string): string[] {
  const read = [...announcementsRead().filter((one) => one !== name).slice(1 - MOST), name];
  localStorage.setItem(KEPT, JSON.stringify(read));
  return read;
}
