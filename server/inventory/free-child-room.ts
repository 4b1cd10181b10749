/**
 * Marks the code of a room with a free child place. Such a place is a part of a room's allotment: the same room at the
 * child's price is another package. A code made from a feed's text has no full stop.
 */
const FREE_CHILD = '.FREE-CHILD';

/** The code of this room with a free child place. */
export function freeChildRoom(code: string): string {
  return `${code}${FREE_CHILD}`;
}

/** Whether a child travels free in the room: the wire's FreeChild. */
export function isFreeChildRoom(code: string): boolean {
  return code.endsWith(FREE_CHILD);
}
