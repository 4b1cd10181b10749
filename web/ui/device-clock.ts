/** A smaller difference may come from a slow response, and does not change what a search finds. */
const MIN_SKEW_MS = 36 * 60 * 60 * 1000;

/** How far the server's clock is ahead of the device's; 0 if they roughly agree. */
export let deviceSkewMs = 0;

/** Compares the device's clock with the `Date` header of a fresh response. */
export function checkDeviceClock(dateHeader: string | null): void {
  const skew = Date.parse(dateHeader ?? '') - Date.now();
  deviceSkewMs = Math.abs(skew) >= MIN_SKEW_MS ? skew : 0;
}
