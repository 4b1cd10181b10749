/** Addresses of scripts as a browser with Trusted Types takes them; a string elsewhere. */
interface TrustedPolicy {
  createScriptURL(address: string): string;
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
 * The page's only policy (its Content-Security-Policy allows no other name). It has no rule for HTML and script text, so
 * no text ever becomes either. `script-src` still decides which addresses are loaded.
 */
const rules: TrustedPolicy = { createScriptURL: webAddress };
let policy: TrustedPolicy | null = null;

function trusted(address: string): string {
  // Not while the page is prerendered, where there is no window.
  policy ??= window.trustedTypes?.createPolicy('skylark', rules) ?? rules;
  return policy.createScriptURL(address);
}

/** Starts a script that is a part of the page, or the configured widget. */
export function setScriptAddress(script: HTMLScriptElement, address: string): void {
  script.src = trusted(address);
}

/** Starts one of the page's own workers. */
export function moduleWorker(address: string): Worker {
  return new Worker(trusted(address), { type: 'module' });
}

/** Registers one of the page's own service workers. */
export function registerServiceWorker(address: string, scope: string): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(trusted(address), { scope });
}

/** Refuses javascript: and data: addresses. */
function webAddress(address: string): string {
  if (!/^https?:$/.test(new URL(address, location.href).protocol)) {
    throw new TypeError(`Not the address of a script: ${address}`);
  }
  return address;
}
