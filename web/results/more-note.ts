/**
 * Says that the server has more packages than are loaded, else null. It promises no further pages without
 * `hasMore`: the count includes unreadable packages, and the page loads a limited number.
 */
export function moreNote(loaded: number, count: number, hasMore: boolean): string | null {
  if (count <= loaded) return null;
  const [some, all] = [loaded, count].map((number) => number.toLocaleString('en-GB'));
  return hasMore ? `${some} of ${all} loaded; the rest load as you go` : `We can show ${some} of ${all}`;
}
