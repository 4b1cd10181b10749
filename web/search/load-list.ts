/** A list of fifty thousand places comes within this time on a slow phone, in milliseconds. */
const LONGEST_WAIT_MS = 20_000;

/** The text of a CSV list. Throws an Error where it cannot be had, or has not come in time. */
export async function fetchCsv(url: string): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'text/csv, text/plain' },
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  // A host that answers every unknown address with its front page would otherwise pass for a list.
  if (response.headers.get('content-type')?.includes('text/html')) {
    throw new Error(`${url} answered with a page, not with a list`);
  }
  return response.text();
}
