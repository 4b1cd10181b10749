/** The service worker looks here too (web/public/service-worker.js). */
const CACHE = 'skylark-saved-hotels';

/** Keeps the page of a saved holiday's hotel for use offline, or removes it. Rejects where storage is blocked or full. */
export async function keepHotel(href: string, isSaved: boolean): Promise<void> {
  const cache = await caches.open(CACHE);
  const { pathname } = new URL(href, location.href);
  if (!isSaved) return void (await cache.delete(pathname));
  const response = await fetch(href);
  if (response.ok) await cache.put(pathname, response);
}
