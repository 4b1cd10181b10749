/** An endpoint that keeps a connection open would keep it from a search. */
const TIMEOUT_MS = 10_000;

/**
 * Posts a word to the operator, without a cookie and without a word of who. Nobody waits for it, nobody misses it,
 * and it goes out even where the page is left at that moment.
 */
export function sendBeacon(endpoint: string, word: object): void {
  fetch(endpoint, {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(word),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {});
}
