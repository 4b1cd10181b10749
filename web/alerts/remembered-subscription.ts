/** Where the page and the service worker (web/public/service-worker.js) keep the endpoint of a subscription. */
const CACHE = 'skylark-push';
const ENDPOINT = '/push-endpoint';

/** Remembers this browser's subscription, to notice its end. Does nothing if storage is blocked. */
export async function rememberSubscription(endpoint: string): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(ENDPOINT, new Response(endpoint));
  } catch {
    // Without it, the end of the subscription goes unnoticed.
  }
}

export async function forgetSubscription(): Promise<void> {
  await caches.delete(CACHE);
}

/** Whether this browser had a subscription that has ended since. */
export async function hasSubscriptionEnded(): Promise<boolean> {
  try {
    const endpoint = await (await caches.match(ENDPOINT, { cacheName: CACHE }))?.text();
    if (endpoint === undefined) return false;
    const registration = await navigator.serviceWorker.getRegistration('/');
    const subscription = await registration?.pushManager.getSubscription();
    return subscription?.endpoint !== endpoint;
  } catch {
    return false;
  }
}
