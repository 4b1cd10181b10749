/** Called after `ms` of work that was done outside a turn of the event loop. Resolves at the next turn. */
export type Rest = (ms: number) => Promise<void>;

/** Milliseconds of work after which others have their turns. */
export const LONGEST_PIECE = 3;

/** Calls `visit` with each item, in pieces, so that others wait for a few milliseconds of it at most. */
export async function eachInPieces<T>(
  items: Iterable<T>,
  visit: (item: T) => void,
  rest: Rest,
): Promise<void> {
  let from = performance.now();
  for (const item of items) {
    visit(item);
    if (performance.now() - from < LONGEST_PIECE) continue;
    await rest(0);
    from = performance.now();
  }
}
