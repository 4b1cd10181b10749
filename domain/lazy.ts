/** Creates a value on first use: formatters and collators take milliseconds each on slow phones. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
