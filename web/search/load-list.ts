/** The text of a CSV list. Throws an Error with a cause where it cannot be had. */
export async function fetchCsv(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/csv, text/plain' } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  // A host that answers every unknown address with its front page would otherwise pass for a list.
  if (response.headers.get('content-type')?.includes('text/html')) {
    throw new Error(`${url} answered with a page, not with a list`);
  }
  return response.text();
}
