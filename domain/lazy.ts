/**
 * Creates a value on first use and keeps it. Formatters and collators take milliseconds each to create, which slows the
 * start of the page on a slow phone.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
