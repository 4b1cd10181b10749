export function* batchesOf<T>(items: Iterable<T>, max: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < max) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
