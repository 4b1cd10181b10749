/**
 * Ends the code of a room with a free child place, which is a separate package. Codes made from a feed's text
 * contain no full stop.
 */
const FREE_CHILD = '.FREE-CHILD';

/** This room's code with a free child place. */
export function freeChildRoom(code: string): string {
  return `${code}${FREE_CHILD}`;
}

/** Whether a child travels free in this room: FreeChild in the API. */
export function isFreeChildRoom(code: string): boolean {
  return code.endsWith(FREE_CHILD);
}
