/**
 * Says where the server counts more than is held (ruling 8b), and otherwise nothing: null. Where paging on fetches
 * no more it is not promised: packages that could not be read are counted too, and the page holds only so many.
 */
export function moreNote(held: number, count: number, hasMore: boolean): string | null {
  if (count <= held) return null;
  const [some, all] = [held, count].map((number) => number.toLocaleString('en-GB'));
  return hasMore
    ? `The first ${some} of ${all}; the rest come as you page`
    : `${some} of ${all} can be shown`;
}
