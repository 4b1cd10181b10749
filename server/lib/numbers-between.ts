/** The whole numbers from one to another, both inclusive; none if the last is smaller. */
export function numbersBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, nth) => first + nth);
}
