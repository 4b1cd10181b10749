import { registerServiceWorker } from '../ui/trusted-script.ts';

export type BrowserSubscription =
  | { kind: 'subscribed'; endpoint: string; keys: { p256dh: string; auth: string } }
  /** The visitor or the browser's settings block notifications. */
  | { kind: 'not allowed' }
  | { kind: 'failed' };

export function canSubscribe(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Asks for permission and subscribes. Call it on a click, or browsers block the prompt. */
export async function subscribeBrowser(publicKey: string): Promise<BrowserSubscription> {
  try {
    if ((await Notification.requestPermission()) !== 'granted') return { kind: 'not allowed' };
    const registration = await registerServiceWorker();
    await activated(registration);
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: publicKey,
    });
    const { endpoint, keys } = subscription.toJSON();
    if (!endpoint || !keys?.p256dh || !keys.auth) return { kind: 'failed' };
    return { kind: 'subscribed', endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  } catch (error) {
    console.error('This browser could not be subscribed to price alerts.', error);
    return { kind: 'failed' };
  }
}

/** Resolves when the registration has an active worker, which a subscription needs. */
function activated({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active !== null || worker === null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('The service worker was not installed'));
    });
  });
}
