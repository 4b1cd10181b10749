/**
 * What `make` makes, made when it is first asked for. Formatters and collators take milliseconds each, which the
 * start of a page on a slow phone does better without.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
