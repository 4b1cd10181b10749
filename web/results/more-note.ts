/**
 * The note that the server counts more packages than are held (ruling 8b); null if it does not. Further pages are only
 * promised if there are any: the count includes unreadable packages, and the page holds a limited number.
 */
export function moreNote(held: number, count: number, hasMore: boolean): string | null {
  if (count <= held) return null;
  const [some, all] = [held, count].map((number) => number.toLocaleString('en-GB'));
  return hasMore ? `${some} of ${all} loaded; the rest load as you go` : `${some} of ${all} can be shown`;
}
