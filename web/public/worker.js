// Shows pushes, and a page of its own when there is no network. It keeps nothing of anybody: no page
// of the site goes through it but by the network.
const KEPT = "offline-1";
const OFFLINE = ["/offline.html", "/offline.css", "/icon.svg"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(OFFLINE)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isPage = request.mode === "navigate";
  const isOffline = new URL(request.url).origin === self.location.origin && OFFLINE.includes(new URL(request.url).pathname);
  if (request.method !== "GET" || !(isPage || isOffline)) return;
  if (isPage) event.respondWith(fetch(request).catch(async () => (await caches.match("/offline.html")) ?? Response.error()));
  else event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
});

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // Not one of ours; something must be shown all the same.
  }
  event.waitUntil(show(told));
});

async function show({ title = "Open Plan", body = "", link = "/", tag = "openplan" }) {
  await self.registration.showNotification(title, {
    body,
    tag,
    icon: "/icon-192.png",
    badge: "/badge.png",
    data: { link: link.startsWith("/") ? link : "/" },
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(go(event.notification.data?.link ?? "/"));
});

async function go(link) {
  const address = new URL(link, self.location.origin).href;
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = open.find((page) => page.url === address) ?? open[0];
  if (there === undefined) return self.clients.openWindow(address);
  await there.focus();
  if (there.url !== address) await there.navigate(address);
}

// The browser has been given another address: the server is told it.
self.addEventListener("pushsubscriptionchange", (event) => {
  const key = event.oldSubscription?.options.applicationServerKey;
  if (!key) return;
  event.waitUntil(
    self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).then((fresh) => {
      const { endpoint, keys } = fresh.toJSON();
      return fetch("/api/me/pushes", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ endpoint, keys }),
      });
    }),
  );
});
