/** What stands in a fair queue. */
export interface Queued {
  readonly network: string;
  /** Any unit; more than 0. */
  readonly cost: number;
  /** Its turns for each turn of another network. Omitted: 1. */
  readonly weight?: number | undefined;
}

/** What an entry takes of its network's share. */
function shareOf({ cost, weight = 1 }: Queued): number {
  return cost / weight;
}

/** A queue that gives every network the same share of the work, by cost and weight. */
export interface FairQueue<T extends Queued> {
  readonly length: number;
  push(entry: T): void;
  /** Removes the entry whose turn it is, of those that may have one. Null: there is none. */
  next(mayBegin?: (entry: T) => boolean): T | null;
  /** False if the entry is not in the queue. */
  remove(entry: T): boolean;
  /** The summed cost of the entries that would come before this one. */
  costBefore(entry: Queued): number;
  /** The summed cost of the entries that come before one that is in the queue, and of its network's among them. */
  costAhead(entry: T): { all: number; ofNetwork: number };
  /** The summed cost of a network's entries. */
  costOf(network: string): number;
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
 * Self-clocked fair queueing (Golestani 1994). Each entry has a start and a finish on a virtual clock, one after the other
 * within its network, and the earliest finish comes next. So a network that asks for little is not delayed by one that
 * asks for much, and a small entry comes before a large one that came at the same time. The clock is at the finish of the
 * last one: at its start, it would stand still while networks come that have not asked before, and whoever has would
 * never have another turn. The queue is a list by finish: most entries join at its end, and a full queue is asked
 * thousands of times a second what comes before another.
 */
export function fairQueue<T extends Queued>(): FairQueue<T> {
  /** The earliest finish first; of equal ones, the entry that came first. */
  let places: Place<T>[] = [];
  let cost = 0;
  let virtualNow = 0;
  /** The finish of each network's last entry. */
  const lastFinish = new Map<string, number>();

  function placeOf(entry: Queued): { start: number; finish: number } {
    const start = Math.max(virtualNow, lastFinish.get(entry.network) ?? 0);
    return { start, finish: start + shareOf(entry) };
  }

  /** The place behind all entries that finish no later. */
  function indexBehind(finish: number): number {
    let index = places.length;
    for (; index > 0; index -= 1) if ((places[index - 1]?.finish ?? 0) <= finish) break;
    return index;
  }

  function forgetPast(): void {
    if (places.length === 0) {
      cost = 0;
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
      places.splice(indexBehind(place.finish), 0, { entry, ...place });
      cost += entry.cost;
      lastFinish.set(entry.network, place.finish);
    },
    next(mayBegin = () => true) {
      const index = places.findIndex(({ entry }) => mayBegin(entry));
      const [first] = index === -1 ? [] : places.splice(index, 1);
      if (first === undefined) return null;
      cost -= first.entry.cost;
      virtualNow = Math.max(virtualNow, first.finish);
      forgetPast();
      return first.entry;
    },
    remove(entry) {
      const place = places.find((one) => one.entry === entry);
      if (place === undefined) return false;
      places = places.filter((one) => one !== place);
      cost -= entry.cost;
      if (lastFinish.get(entry.network) === place.finish) lastFinish.set(entry.network, place.start);
      forgetPast();
      return true;
    },
    costBefore(entry) {
      const behind = places.slice(indexBehind(placeOf(entry).finish));
      return behind.reduce((before, place) => before - place.entry.cost, cost);
    },
    costAhead(entry) {
      const ahead = { all: 0, ofNetwork: 0 };
      for (const { entry: other } of places) {
        if (other === entry) break;
        ahead.all += other.cost;
        if (other.network === entry.network) ahead.ofNetwork += other.cost;
      }
      return ahead;
    },
    costOf: (network) =>
      places.reduce((sum, { entry }) => sum + (entry.network === network ? entry.cost : 0), 0),
    lastOfHeaviest(entry) {
      const shares = new Map<string, number>();
      for (const place of places) {
        const { network } = place.entry;
        shares.set(network, (shares.get(network) ?? 0) + shareOf(place.entry));
      }
      let [heaviest, most] = ['', (shares.get(entry.network) ?? 0) + shareOf(entry)];
      for (const [network, share] of shares) {
        if (network !== entry.network && share > most) [heaviest, most] = [network, share];
      }
      return places.findLast((place) => place.entry.network === heaviest)?.entry ?? null;
    },
    entries: () => places.map(({ entry }) => entry),
  };
}
