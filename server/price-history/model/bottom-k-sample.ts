/** A row of whole numbers that begins with its key. */
type KeyedRow = readonly number[];

interface Hashed<Row> {
  hash: number;
  row: Row;
}

/**
 * A shuffled random sample of `size` rows: those whose keys have the lowest hashes (bottom-k sample, Cohen
 * and Kaplan 2007). The order in which rows are added does not matter. The key is the first `keyLength`
 * columns; `numbers` replaces IDs in the key by numbers that do not change. Another `seed` gives another sample.
 */
export function bottomKSample<Row extends KeyedRow>(
  size: number,
  keyLength: number,
  numbers: readonly (Uint32Array | undefined)[] = [],
  seed = 0,
): { add(row: Row): void; sample(): Row[] } {
  let kept: Hashed<Row>[] = [];
  let highest = Number.POSITIVE_INFINITY;

  function numberAt(row: Row, at: number): number {
    const value = row[at] ?? 0;
    const known = numbers[at];
    return known === undefined ? value : (known[value] ?? 0);
  }

  function inOrder(one: Hashed<Row>, other: Hashed<Row>): number {
    let order = one.hash - other.hash;
    for (let at = 0; order === 0 && at < keyLength; at += 1) {
      order = numberAt(one.row, at) - numberAt(other.row, at);
    }
    for (let at = 0; order === 0 && at < keyLength; at += 1) {
      order = (one.row[at] ?? 0) - (other.row[at] ?? 0);
    }
    return order;
  }

  function cut(): void {
    kept = kept.toSorted(inOrder).slice(0, size);
    highest = kept.length < size ? highest : (kept.at(-1)?.hash ?? highest);
  }

  return {
    add(row) {
      const hash = hashOf(row, keyLength, numberAt, seed);
      if (hash > highest) return;
      kept.push({ hash, row });
      // Sorts only when there are twice as many rows as needed, to keep the cost per row low.
      if (kept.length >= 2 * size) cut();
    },
    sample() {
      cut();
      return kept.map(({ row }) => row);
    },
  };
}

/** A 32-bit hash of the key's numbers: MurmurHash3 (Austin Appleby, public domain). */
function hashOf<Row extends KeyedRow>(
  row: Row,
  keyLength: number,
  numberAt: (row: Row, at: number) => number,
  seed: number,
): number {
  let hash = seed | 0;
  for (let at = 0; at < keyLength; at += 1) {
    let mixed = Math.imul(numberAt(row, at), 0xcc9e2d51);
    mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
    hash ^= mixed;
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
