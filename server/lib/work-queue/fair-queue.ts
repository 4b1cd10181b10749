/** What stands in a fair queue. */
export interface Queued {
  readonly network: string;
  /** Any unit; more than 0. */
  readonly cost: number;
}

/** A queue that gives every network the same share of the work, by cost. */
export interface FairQueue<T extends Queued> {
  readonly length: number;
  push(entry: T): void;
  /** Removes the entry whose turn it is. Null: the queue is empty. */
  next(): T | null;
  /** False if the entry is not in the queue. */
  remove(entry: T): boolean;
  /** The summed cost of the entries that would come before this one. */
  costBefore(entry: Queued): number;
  /** The last entry of the network that has queued the most, if it has more than `network` would have with one more. */
  lastOfHeaviest(entry: Queued): T | null;
  entries(): readonly T[];
}

interface Place<T> {
  entry: T;
  start: number;
  finish: number;
}

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996). Each entry has a start and a finish on a virtual clock, one after
 * the other within its network, and the earliest finish comes next. So a network that asks for little is not delayed by
 * one that asks for much, and a small entry comes before a large one that came at the same time. The queue is short, so
 * it is a list.
 */
export function fairQueue<T extends Queued>(): FairQueue<T> {
  let places: Place<T>[] = [];
  let virtualNow = 0;
  /** The finish of each network's last entry. */
  const lastFinish = new Map<string, number>();

  function placeOf(entry: Queued): { start: number; finish: number } {
    const start = Math.max(virtualNow, lastFinish.get(entry.network) ?? 0);
    return { start, finish: start + entry.cost };
  }

  function forgetPast(): void {
    if (places.length === 0) {
      lastFinish.clear();
      virtualNow = 0;
    } else if (lastFinish.size > 2 * places.length + 16) {
      for (const [network, finish] of lastFinish) if (finish <= virtualNow) lastFinish.delete(network);
    }
  }

  return {
    get length() {
      return places.length;
    },
    push(entry) {
      const place = placeOf(entry);
      places.push({ entry, ...place });
      lastFinish.set(entry.network, place.finish);
    },
    next() {
      let first: Place<T> | null = null;
      for (const place of places) if (first === null || place.finish < first.finish) first = place;
      if (first === null) return null;
      places.splice(places.indexOf(first), 1);
      virtualNow = Math.max(virtualNow, first.start);
      forgetPast();
      return first.entry;
    },
    remove(entry) {
      const place = places.find((one) => one.entry === entry);
      if (place === undefined) return false;
      places = places.filter((one) => one !== place);
      if (lastFinish.get(entry.network) === place.finish) lastFinish.set(entry.network, place.start);
      forgetPast();
      return true;
    },
    costBefore(entry) {
      const { finish } = placeOf(entry);
      let cost = 0;
      for (const place of places) if (place.finish <= finish) cost += place.entry.cost;
      return cost;
    },
    lastOfHeaviest(entry) {
      const costs = new Map<string, number>();
      for (const place of places) {
        const { network, cost } = place.entry;
        costs.set(network, (costs.get(network) ?? 0) + cost);
      }
      let [heaviest, most] = ['', (costs.get(entry.network) ?? 0) + entry.cost];
      for (const [network, cost] of costs) {
        if (network !== entry.network && cost > most) [heaviest, most] = [network, cost];
      }
      return places.findLast((place) => place.entry.network === heaviest)?.entry ?? null;
    },
    entries: () => places.map(({ entry }) => entry),
  };
}
