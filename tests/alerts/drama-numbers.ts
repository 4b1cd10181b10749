/** How many numbers there are that are nobody's: Ofcom keeps 07700 900000 to 900999 for drama. */
export const DRAMA_NUMBERS = 1_000;

/** One of them, canonical. */
export function dramaNumber(index: number): string {
  return `447700900${String(index % DRAMA_NUMBERS).padStart(3, '0')}`;
}
