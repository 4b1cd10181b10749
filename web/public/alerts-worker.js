// The service worker of price alerts. It only shows notifications: its scope contains no page, and it intercepts no
// requests.

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

/** Stops the alert, or opens the page that offers to if that fails. */
async function stopAlert(link) {
  const { pathname, search } = new URL(link);
  const response = await fetch(pathname + search, { method: 'POST' }).catch(() => null);
  if (!response?.ok) return self.clients.openWindow(pathname + search);
  return self.registration.showNotification('Alert stopped', {
    body: 'You won’t hear from us about that holiday again.',
  });
}
