/** A hanging endpoint must not keep a connection from searches. */
const TIMEOUT_MS = 10_000;

/**
 * Posts a message to the operator without cookies. It is fire and forget, and is sent even while the page unloads.
 */
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
