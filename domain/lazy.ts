/** Creates a value on first use. Creating a formatter, for example, takes milliseconds on slow phones. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
