/** Makes script URLs that browsers with Trusted Types accept. */
interface TrustedPolicy {
  createScriptURL(url: string): string;
}

declare global {
  interface Window {
    /** https://www.w3.org/TR/trusted-types/. Not in every browser. */
    trustedTypes?: {
      createPolicy(name: string, rules: TrustedPolicy): TrustedPolicy;
    };
  }
}

/**
 * The page's only policy: the Content-Security-Policy allows no other. It has no rules for HTML and script text, so both
 * are rejected. `script-src` still decides which URLs are loaded.
 */
const rules: TrustedPolicy = { createScriptURL: checkedUrl };
let policy: TrustedPolicy | null = null;

function trusted(url: string): string {
  // Created on first use, because prerendering has no window.
  policy ??= window.trustedTypes?.createPolicy('skylark', rules) ?? rules;
  return policy.createScriptURL(url);
}

export function setScriptUrl(script: HTMLScriptElement, url: string): void {
  script.src = trusted(url);
}

export function moduleWorker(url: string): Worker {
  return new Worker(trusted(url), { type: 'module' });
}

/** Registers the site's one service worker (web/public/service-worker.js). Rejects if workers are blocked. */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(trusted('/service-worker.js'), { scope: '/' });
}

/** Rejects javascript: and data: URLs. */
function checkedUrl(url: string): string {
  if (!/^https?:$/.test(new URL(url, location.href).protocol)) {
    throw new TypeError(`Not the URL of a script: ${url}`);
  }
  return url;
}
