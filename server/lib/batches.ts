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

/** As `batchesOf`, of items that may come later. */
export async function* asyncBatchesOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  size: number,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
