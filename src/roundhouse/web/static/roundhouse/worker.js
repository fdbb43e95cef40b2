// The service worker: shows what is pushed, with no page open, and opens the table it is about.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

function told(event) {
  try { return event.data.json(); } catch { return { title: "Roundhouse", body: "", url: "/", tag: "site" }; }
}

self.addEventListener("push", (event) => {
  const { title, body, url, tag } = told(event);
  event.waitUntil(self.registration.showNotification(title, {
    body, tag, icon: "/static/roundhouse/icon.svg", data: { url },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

async function open(address) {
  const { pathname } = new URL(address, self.location.origin);
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === pathname);
  return there ? there.focus() : self.clients.openWindow(pathname);
}

/** The push service has changed the browser's address: tell the server the new one. */
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil((async () => {
    const old = event.oldSubscription ?? await self.registration.pushManager.getSubscription();
    const found = event.newSubscription ?? await self.registration.pushManager.subscribe(old.options);
    const token = await cookieStore.get("csrftoken");
    await fetch("/notices/browser/", {
      method: "POST", credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token?.value ?? "" },
      body: JSON.stringify(found),
    });
  })());
});
