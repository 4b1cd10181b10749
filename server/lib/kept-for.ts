/**
 * Reads again only when what was read last is older than `lifetime`, in milliseconds. Those who ask while it is read
 * share it. A failed read is not kept. `now` is in milliseconds of a monotonic clock.
 */
export function keptFor<T>(
  lifetime: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let latest: Promise<T> | null = null;
  /** Until when the latest counts; infinite while it is read. */
  let until = 0;
  return () => {
    if (latest !== null && now() < until) return latest;
    const from = now();
    const reading = read();
    latest = reading;
    until = Number.POSITIVE_INFINITY;
    const end = (at: number) => () => {
      until = at;
    };
    reading.then(end(from + lifetime), end(from));
    return reading;
  };
}
