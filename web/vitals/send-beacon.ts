/** Frees the connection if the endpoint does not respond in this time. */
const TIMEOUT_MS = 10_000;

/** Posts a message without cookies, even while the page unloads, and ignores failures. */
export function sendBeacon(endpoint: string, message: object): void {
  fetch(endpoint, {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {});
}
