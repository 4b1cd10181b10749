import { registerServiceWorker } from '../ui/trusted-script.ts';
import { rememberSubscription } from './remembered-subscription.ts';

export type BrowserSubscription =
  | { kind: 'subscribed'; endpoint: string; keys: { p256dh: string; auth: string } }
  /** The visitor closed the prompt without an answer. */
  | { kind: 'dismissed' }
  /** The visitor or the browser's settings block notifications. */
  | { kind: 'blocked' }
  | { kind: 'failed' };

export function canSubscribe(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Asks for permission and subscribes. Call it on a click, or browsers block the prompt. */
export async function subscribeBrowser(publicKey: string): Promise<BrowserSubscription> {
  try {
    const permission = await Notification.requestPermission();
    if (permission !== 'granted') return { kind: permission === 'denied' ? 'blocked' : 'dismissed' };
    const registration = await registerServiceWorker();
    await activated(registration);
    const subscription = await subscribe(registration.pushManager, publicKey);
    const { endpoint, keys } = subscription.toJSON();
    if (!endpoint || !keys?.p256dh || !keys.auth) return { kind: 'failed' };
    await rememberSubscription(endpoint);
    return { kind: 'subscribed', endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  } catch (error) {
    console.error('This browser could not be subscribed to price alerts.', error);
    return { kind: 'failed' };
  }
}

/** Replaces a subscription that was made with another key: the site's key has changed since. */
async function subscribe(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const earlier = await manager.getSubscription();
  const key = earlier?.options.applicationServerKey;
  if (earlier && key && base64Url(key) !== publicKey) await earlier.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

function base64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
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
