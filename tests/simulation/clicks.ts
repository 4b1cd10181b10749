import type { DatabaseSync } from 'node:sqlite';
import { between, pick } from './faults.ts';
import { itemKeyOf } from './feed-servers.ts';
import { machine, worldAfter } from './machine.ts';
import type { product } from './product.ts';
import { type Attempt, Violation } from './sale-model.ts';
import type { Provider, World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const A_DAY = 6;

/** Clicks are kept for 180 days; two days less, because the clock may be ahead. */
const KEPT_MS = 178 * DAY_MS;

/** The price of a package is in doubt for this long after a provider was asked for it. */
const CHECKED_MS = 10 * MINUTE_MS;

interface Click {
  hotel: string;
  departs: string;
  price: number;
  /** In minutes since 1970, as the server says. */
  visitedAt: number;
  /** It must be in the store, and must be settled. */
  isRecorded: boolean;
  isDue: boolean;
  /** What the store said about it after an import; null: no import has followed. */
  settled: string | null;
}

/** Visitors who click, and what becomes of their clicks by docs/price-analysis.md: none is lost, and each is settled once. */
export function clicks(world: World, skylark: ReturnType<typeof product>, observe: () => void) {
  /** By the number of the client, which is another for each click. */
  const all = new Map<number, Click>();
  let lastClient = 0;

  async function click(): Promise<void> {
    const { model } = pick(world.providers);
    const [hotel, one] = pick([...model.sale()]) ?? [];
    if (hotel === undefined || one === undefined || !skylark.isUp()) return;
    const { price, departs } = one;
    const visitedAt = Math.floor(machine.now() / MINUTE_MS);
    const client = ++lastClient;
    const own: Click = { hotel, departs, price, visitedAt, isRecorded: false, isDue: false, settled: null };
    all.set(client, own);
    const outcome = await skylark.click({
      itemKey: itemKeyOf(hotel, departs),
      price,
      visitedAt,
      isShown: true,
      client,
    });
    world.record(`a click on ${hotel}: ${outcome}`);
    observe();
    const now = model.sale().get(hotel);
    // Those at a price that is not on sale any more do not count.
    own.isRecorded =
      outcome === 'recorded' &&
      now?.price === price &&
      !isChecked(now) &&
      machine.now() - now.madeAt < DAY_MS;
  }

  function isChecked({ checked }: { checked?: { at: number } | undefined }): boolean {
    return Math.abs(machine.now() - (checked?.at ?? 0)) < CHECKED_MS;
  }

  return {
    startDay(): void {
      for (let nth = 0; nth < A_DAY; nth += 1) worldAfter(between(0, DAY_MS), () => void click());
      for (const [client, { visitedAt }] of all)
        if (machine.now() - visitedAt * MINUTE_MS > KEPT_MS) all.delete(client);
    },
    /** An import settles the clicks before it. */
    ended({ code }: Provider, { outcome, startedAt }: Attempt): void {
      if (outcome !== 'imported') return;
      for (const one of all.values())
        if (one.hotel.startsWith(code) && (one.visitedAt + 2) * MINUTE_MS < startedAt)
          one.isDue = one.isRecorded && Date.parse(one.departs) > startedAt + DAY_MS;
    },
    compare(store: DatabaseSync): void {
      const rows = store
        .prepare(
          'select client, price, visited_at, settled_at, next_price from site_visit where is_check = 0',
        )
        .all();
      const found = new Set<number>();
      for (const { client, price, visited_at, settled_at, next_price } of rows) {
        const own = all.get(Number(client));
        const where = `The click of client ${Number(client)} on ${own?.hotel}`;
        if (own === undefined) continue;
        if (found.has(Number(client))) throw new Violation(`${where} was recorded twice`);
        found.add(Number(client));
        if (Number(price) !== own.price || Number(visited_at) !== own.visitedAt)
          throw new Violation(`${where} has another price or time`);
        const settled = settled_at === null ? null : `${Number(settled_at)} ${Number(next_price)}`;
        if (settled === null && own.isDue) throw new Violation(`${where} was not settled by an import`);
        if (own.settled !== null && settled !== own.settled)
          throw new Violation(`${where} was settled twice`);
        if (settled !== null && own.settled === null) {
          const now = world.providerOf(own.hotel.slice(0, 4)).model.sale().get(own.hotel);
          if (Number(next_price) !== (now?.price ?? 0) && !(now !== undefined && isChecked(now)))
            throw new Violation(
              `${where} was settled with ${Number(next_price)}, and should be ${now?.price}`,
            );
        }
        own.settled = settled;
      }
      for (const [client, one] of all)
        if (one.isRecorded && !found.has(client))
          throw new Violation(`The click of client ${client} on ${one.hotel} was lost`);
    },
  };
}
