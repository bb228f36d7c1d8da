/** This browser as one that takes pushes, also while no page is open. */
import { ask } from "$/api/client";

interface Policy {
  createScriptURL(address: string): string;
}

/** The site's policy wants to know that we mean the script that we name. */
export async function startWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
  const policy = trustedTypes?.createPolicy("worker", { createScriptURL: (address) => address });
  await navigator.serviceWorker.register(policy?.createScriptURL("/worker.js") ?? "/worker.js").catch(() => {});
}

export function mayPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

export async function subscription(): Promise<PushSubscription | null> {
  if (!mayPush()) return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager?.getSubscription()) ?? null;
}

/** Whether it is now one of ours. */
export async function subscribe(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const worker = await navigator.serviceWorker.ready;
  const found = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = found.toJSON();
  await ask("POST", "/api/me/pushes", { endpoint, keys });
  return true;
}

/** Nobody is told here any more: whoever signs in next is somebody else. */
export async function unsubscribe(): Promise<void> {
  await (await subscription().catch(() => null))?.unsubscribe();
}
