// The site's service worker. It keeps the page for when there is no network, and shows price alerts. Searches are POST
// requests, which it ignores: the page keeps their responses (web/data/offline-store.ts).

/** What to keep: see server/page/offline-files.ts, which fills in this line. Null: nothing. */
const KEPT = null;

const PAGE_CACHE = `skylark-page-${KEPT?.revision}`;
/** Lists and settings. Not part of a revision, because they change without a build. */
const LIST_CACHE = 'skylark-lists';
const LISTS = ['/data/locations.csv', '/data/departure-airports.csv', '/plain.css', '/hotel.css'];
/** Hotels' pages: the last opened, and those that the page keeps with the shortlist (web/shortlist/keep-hotel.ts). */
const HOTEL_CACHE = 'skylark-hotels';
const SAVED_HOTEL_CACHE = 'skylark-saved-hotels';
const MAX_HOTELS = 10;
const SETTINGS = '/config.json';
const SETTINGS_TIMEOUT_MS = 3_000;

/** The types of each kind of file. A portal or proxy may answer with a page of its own, which is never kept. */
const EXPECTED = [
  [/\.csv$/, /^text\/(csv|plain)/],
  [/\.json$/, /^application\/json/],
  [/\.js$/, /javascript/],
  [/\.css$/, /^text\/css/],
];

self.addEventListener('install', (event) => {
  if (KEPT !== null) event.waitUntil(keepPage());
});

// There is no skipWaiting: this runs once no page uses the previous revision, so its files can go.
self.addEventListener('activate', (event) => {
  event.waitUntil(removeOldRevisions().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (KEPT === null || request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (KEPT.documents.includes(pathname)) event.respondWith(sendDocument(request, pathname));
    else if (pathname.startsWith('/hotel/')) event.respondWith(sendHotel(event, pathname));
  } else if (pathname === SETTINGS || LISTS.includes(pathname)) event.respondWith(sendList(event, pathname));
  else if (KEPT.files.includes(pathname)) event.respondWith(sendFile(request, pathname));
});

async function keepPage() {
  const page = await caches.open(PAGE_CACHE);
  const documents = KEPT.documents.map((url) => new Request(url, { cache: 'no-cache' }));
  await Promise.all(
    [...documents, ...KEPT.files].map(async (request) => {
      const response = await fetch(request);
      const { pathname } = new URL(response.url);
      const isOurs = isExpected(response, pathname) && (await isOurDocument(response.clone(), pathname));
      if (!isOurs) throw new Error(`Unexpected response to ${pathname}`);
      await page.put(request, response);
    }),
  );
  await Promise.allSettled([SETTINGS, ...LISTS].map(async (url) => keepList(url, await fetch(url))));
}

/** Documents name files of the build; other files pass. */
async function isOurDocument(response, path) {
  if (!KEPT.documents.includes(path)) return true;
  const html = await response.text();
  return KEPT.files.some((file) => html.includes(file));
}

/** Whether this site's server sent a file: its type fits. */
function isExpected(response, path) {
  const type = response.headers.get('content-type') ?? '';
  const [, expected = null] = EXPECTED.find(([name]) => name.test(path)) ?? [];
  return response.ok && !response.redirected && (expected === null || expected.test(type));
}

/** Whether a proxy answered because it could not reach the server, or a portal in its place. */
function isAway(response, path) {
  return [502, 503, 504].includes(response.status) || (response.ok && !isExpected(response, path));
}

async function removeOldRevisions() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith('skylark-page-') && name !== PAGE_CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

function findKept(cacheName, path) {
  return caches.match(path, { cacheName, ignoreVary: true });
}

async function sendFile(request, path) {
  return (await findKept(PAGE_CACHE, path)) ?? fetch(request);
}

/** The network's response, or what is kept if the server cannot be reached. */
async function orKept(fresh, kept, path) {
  if (kept === undefined) return fresh;
  return fresh.then(
    (response) => (isAway(response, path) ? kept : response),
    () => kept,
  );
}

/** Sends the kept document, except while a newer revision waits: then the network has the newer document. */
async function sendDocument(request, path) {
  const kept = await findKept(PAGE_CACHE, path);
  if (kept !== undefined && self.registration.waiting === null) return kept;
  return orKept(fetch(request), kept, path);
}

/** Sends a hotel's page and keeps it, or sends what is kept, for any search, if the server cannot be reached. */
async function sendHotel(event, path) {
  const kept = (await findKept(HOTEL_CACHE, path)) ?? (await findKept(SAVED_HOTEL_CACHE, path));
  const fresh = fetch(event.request);
  event.waitUntil(fresh.then((response) => keepHotel(path, response.clone())).catch(() => {}));
  const sent = await orKept(fresh, kept, path);
  return kept && sent.ok && !(await isHotel(sent)) ? kept : sent;
}

async function isHotel(response) {
  return (await response.clone().text()).includes('<main class="hotel"');
}

/** Keeps it as the newest, and lets the oldest go. */
async function keepHotel(path, response) {
  if (!response.ok || !(await isHotel(response))) return;
  const cache = await caches.open(HOTEL_CACHE);
  await cache.delete(path);
  await cache.put(path, response);
  const pages = await cache.keys();
  await Promise.all(pages.slice(0, -MAX_HOTELS).map((page) => cache.delete(page)));
}

/** Sends a kept list immediately and refreshes it for next time. For settings, tries the network first. */
async function sendList(event, path) {
  const kept = await findKept(LIST_CACHE, path);
  const isSettings = path === SETTINGS;
  const signal = isSettings && kept ? AbortSignal.timeout(SETTINGS_TIMEOUT_MS) : null;
  const fresh = fetch(event.request, { signal });
  event.waitUntil(fresh.then((response) => keepList(path, response.clone())).catch(() => {}));
  return isSettings ? orKept(fresh, kept, path) : (kept ?? fresh);
}

/** Without its date, by which the page recognises a wrong clock. */
async function keepList(path, response) {
  if (!isExpected(response, path)) return;
  const headers = new Headers(response.headers);
  headers.delete('date');
  await (await caches.open(LIST_CACHE)).put(path, new Response(response.body, { headers }));
}

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

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(moveSubscription(event));
});

/** Subscribes again if the browser has not, and moves the alerts to the new subscription. */
async function moveSubscription({ oldSubscription, newSubscription }) {
  // Where the page keeps the endpoint: web/alerts/remembered-subscription.ts.
  const remembered = await caches.open('skylark-push');
  const from = oldSubscription?.endpoint ?? (await (await remembered.match('/push-endpoint'))?.text());
  const settings = await (await fetch(SETTINGS)).json();
  if (!from || !settings.webPushKey) return;
  const subscription =
    newSubscription ??
    (await self.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: settings.webPushKey,
    }));
  const { endpoint, keys } = subscription.toJSON();
  const response = await fetch(`${settings.conversationEndpoint ?? ''}/intents/subscription`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from, user: { platform: 'push', channel_id: endpoint, keys } }),
  });
  if (response.ok) await remembered.put('/push-endpoint', new Response(endpoint));
}

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
