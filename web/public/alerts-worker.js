// The service worker of price alerts. It shows notifications and nothing else: its scope has no page of the search, and
// it intercepts no request.

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { title, body, url, tag, stop, manage } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      renotify: true,
      data: { url, stop: stop.url, manage: manage.url },
      actions: [
        { action: 'stop', title: stop.label },
        { action: 'manage', title: manage.label },
      ],
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  const { url, stop, manage } = event.notification.data;
  event.notification.close();
  if (event.action === 'stop') event.waitUntil(stopAlert(stop));
  else event.waitUntil(self.clients.openWindow(event.action === 'manage' ? manage : url));
});

/** Stops with one click. If that fails, the page behind the link offers it. */
async function stopAlert(address) {
  const { pathname, search } = new URL(address);
  const answer = await fetch(pathname + search, { method: 'POST' }).catch(() => null);
  if (!answer?.ok) return self.clients.openWindow(pathname + search);
  return self.registration.showNotification('Stopped', { body: 'Nothing more about that holiday.' });
}
