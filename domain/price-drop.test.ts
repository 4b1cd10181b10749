import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPriceDrop, newsOf, type WatchedPrice } from './price-drop.ts';
import { earliestAlert, QUIET_HOURS } from './quiet-hours.ts';
import { highestSince, highsAfter, type RunningHighs } from './running-highs.ts';

const HOUR_MS = 3_600_000;

describe('isPriceDrop', () => {
  it.each([
    // Above £200, a drop must be at least 5%; below £200, at least £10.
    [100_000, 95_000, true],
    [100_000, 95_001, false],
    [20_000, 19_000, true],
    [20_000, 19_001, false],
    [10_000, 9_500, false],
    [10_000, 9_000, true],
    [10_000, 9_001, false],
    [99_999, 94_999, true],
    [99_999, 95_000, false],
    [50_000, 50_000, false],
    [50_000, 60_000, false],
  ])('%i to %i pence: %s', (reference, price, isDrop) => {
    expect(isPriceDrop(reference, price)).toBe(isDrop);
  });
});

describe('earliestAlert', () => {
  it.each([
    ['in the day', '2027-01-15T12:00:00Z', null, '2027-01-15T12:00:00Z'],
    ['at eight', '2027-01-15T08:00:00Z', null, '2027-01-15T08:00:00Z'],
    ['just before eight', '2027-01-15T07:59:59Z', null, '2027-01-15T08:00:00Z'],
    ['just before nine', '2027-01-15T20:59:59Z', null, '2027-01-15T20:59:59Z'],
    ['at nine', '2027-01-15T21:00:00Z', null, '2027-01-16T08:00:00Z'],
    ['in summer', '2027-07-15T20:00:00Z', null, '2027-07-16T07:00:00Z'],
    ['in the night that clocks go forward', '2027-03-27T23:00:00Z', null, '2027-03-28T07:00:00Z'],
    ['in the night that clocks go back', '2027-10-30T23:00:00Z', null, '2027-10-31T08:00:00Z'],
    ['already served that day', '2027-01-15T12:00:00Z', '2027-01-15T08:00:00Z', '2027-01-16T08:00:00Z'],
    ['served the evening before', '2027-01-15T08:00:00Z', '2027-01-14T20:59:00Z', '2027-01-15T08:00:00Z'],
    // 23:30 UTC in summer is on the next day in London.
    ['served on London’s next day', '2027-07-15T22:00:00Z', '2027-07-15T10:00:00Z', '2027-07-16T07:00:00Z'],
  ])('%s', (_name, now, last, expected) => {
    const at = earliestAlert(Date.parse(now), last === null ? null : Date.parse(last), QUIET_HOURS);
    expect(new Date(at).toISOString()).toBe(expected.replace('Z', '.000Z'));
  });

  it('never waits without quiet hours', () => {
    const night = Date.parse('2027-01-15T03:00:00Z');
    expect(earliestAlert(night, null, null)).toBe(night);
    expect(earliestAlert(night, night - HOUR_MS, null)).toBe(Date.parse('2027-01-16T00:00:00Z'));
  });
});

describe('newsOf', () => {
  const now = Date.parse('2027-01-15T12:00:00Z');
  const own: WatchedPrice = {
    itemKey: 'own',
    reference: 60_000,
    price: 60_000,
    departsAt: now + 1,
    expiresAt: now + 1,
  };
  const similar = { ...own, itemKey: 'similar', reference: 70_000, price: 58_000 };
  const keysOf = (...prices: WatchedPrice[]) =>
    newsOf({ now, own: 'own', prices }).map(({ itemKey }) => itemKey);

  it('names the watched package first, then similar ones by saving', () => {
    const small = { ...similar, itemKey: 'small', reference: 62_000 };
    expect(keysOf(small, similar, { ...own, price: 55_000 })).toEqual(['own', 'similar', 'small']);
  });

  it.each([
    ['much dearer', 125_000, false],
    ['10% dearer', 66_000, true],
    ['a penny more than 10% dearer', 66_001, false],
  ])(
    'compares a similar package that is %s with the current price of the watched one',
    (_name, price, counts) => {
      expect(keysOf(own, { ...similar, reference: 140_000, price })).toEqual(counts ? ['similar'] : []);
    },
  );

  it.each([
    ['has departed', { departsAt: now }],
    ['has expired', { expiresAt: now }],
  ])('counts no similar package if the watched one %s', (_name, difference) => {
    expect(keysOf({ ...own, ...difference }, similar)).toEqual([]);
    expect(keysOf(similar)).toEqual([]);
  });

  it.each([
    ['has departed', { departsAt: now }],
    ['has expired', { expiresAt: now }],
    ['has risen again', { price: 57_001 }],
  ])('leaves out a package that %s', (_name, difference) => {
    expect(keysOf({ ...own, price: 57_000, ...difference })).toEqual([]);
  });
});

/** An event of a generated history. `after` is the time since the previous event, in milliseconds. */
type Event =
  | { kind: 'price'; after: number; package: number; price: number }
  | { kind: 'look'; after: number; isRefused: boolean };

interface Sent {
  at: number;
  packages: number[];
}

interface History {
  start: number;
  firstPrices: number[];
  departures: number[];
  expiries: number[];
  events: Event[];
}

const gap = fc.oneof(
  fc.integer({ min: 0, max: 2 * HOUR_MS }),
  fc.integer({ min: 0, max: 16 * HOUR_MS }),
  fc.constantFrom(0, 1, HOUR_MS, 11 * HOUR_MS, 13 * HOUR_MS, 24 * HOUR_MS),
);
const price = fc.oneof(
  fc.integer({ min: 15_000, max: 60_000 }),
  fc.constantFrom(50_000, 47_500, 47_501, 49_000, 45_125, 52_500, 20_000, 19_000, 19_001),
);
const history: fc.Arbitrary<History> = fc.record({
  // Near both clock changes, or at any time.
  start: fc.oneof(
    fc.integer({ min: Date.UTC(2027, 2, 26), max: Date.UTC(2027, 2, 29) }),
    fc.integer({ min: Date.UTC(2027, 9, 29), max: Date.UTC(2027, 10, 1) }),
    fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 11, 1) }),
  ),
  firstPrices: fc.array(price, { minLength: 2, maxLength: 2 }),
  departures: fc.array(fc.integer({ min: 0, max: 30 * 24 * HOUR_MS }), { minLength: 2, maxLength: 2 }),
  expiries: fc.array(fc.integer({ min: 0, max: 30 * 24 * HOUR_MS }), { minLength: 2, maxLength: 2 }),
  events: fc.array(
    fc.oneof(
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('price' as const), after: gap, package: fc.nat(1), price }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('look' as const), after: gap, isRefused: fc.boolean() }),
      },
    ),
    { minLength: 4, maxLength: 24 },
  ),
});

/** Simulates the alert rules event by event, with the state that the store keeps. */
function byTheRules({ start, firstPrices, departures, expiries, events }: History): Sent[] {
  const prices = [...firstPrices];
  const steps: RunningHighs[] = [[], []];
  const toldAt = [1, 1];
  const sent: Sent[] = [];
  let now = start;
  let moment = 1;
  let waits = false;
  let dueAt = 0;
  const referenceOf = (index: number) =>
    highestSince(steps[index] ?? [], toldAt[index] ?? 0, prices[index] ?? 0);
  for (const event of events) {
    now += event.after;
    moment += 1;
    if (event.kind === 'price') {
      const index = event.package;
      const was = prices[index] ?? 0;
      prices[index] = event.price;
      if (was === event.price) continue;
      steps[index] = highsAfter(steps[index] ?? [], { was, price: event.price, at: moment });
      if (isPriceDrop(referenceOf(index), event.price) && !waits) {
        waits = true;
        dueAt = now;
      }
      continue;
    }
    if (!waits || now < dueAt) continue;
    const watched = [0, 1].map(
      (index): WatchedPrice => ({
        itemKey: String(index),
        reference: referenceOf(index),
        price: prices[index] ?? 0,
        departsAt: start + (departures[index] ?? 0),
        expiresAt: start + (expiries[index] ?? 0),
      }),
    );
    // Each package has a watch of its own.
    const news = watched.flatMap((one) => newsOf({ now, own: one.itemKey, prices: [one] }));
    if (news.length === 0) {
      waits = false;
      continue;
    }
    const earliest = earliestAlert(now, sent.at(-1)?.at ?? null, QUIET_HOURS);
    if (earliest > now) {
      dueAt = earliest;
      continue;
    }
    if (event.isRefused) continue;
    const told = news.map(({ itemKey }) => Number(itemKey));
    for (const index of told) toldAt[index] = moment;
    waits = false;
    sent.push({ at: now, packages: told.sort((one, other) => one - other) });
  }
  return sent;
}

/** A simple implementation without state except the events and messages so far. */
function byTheOracle({ start, firstPrices, departures, expiries, events }: History): Sent[] {
  const sent: Sent[] = [];
  const happened: { at: number; package: number; price: number }[] = [];
  let now = start;
  for (const event of events) {
    now += event.after;
    if (event.kind === 'price') {
      happened.push({ at: now, package: event.package, price: event.price });
      continue;
    }
    if (event.isRefused) continue;
    const clock = clockInLondon(now);
    if (clock.slice(11, 16) < '08:00' || clock.slice(11, 16) >= '21:00') continue;
    if (sent.some(({ at }) => clockInLondon(at).slice(0, 10) === clock.slice(0, 10))) continue;
    const dropped = [0, 1].filter((index) => {
      if (now - start >= Math.min(departures[index] ?? 0, expiries[index] ?? 0)) return false;
      const steps = [{ price: firstPrices[index] ?? 0, place: -1 }];
      for (const [place, step] of happened.entries())
        if (step.package === index) steps.push({ ...step, place });
      const told = sent.findLast(({ packages }) => packages.includes(index));
      const toldAfter = told === undefined ? -1 : (places.get(told) ?? 0);
      const current = steps.at(-1)?.price ?? 0;
      const since = steps.filter(
        ({ place }, step) => place >= toldAfter || step === lastBefore(steps, toldAfter),
      );
      const highest = Math.max(...since.map(({ price }) => price));
      const fall = highest - current;
      return fall >= 1_000 && fall / highest >= 0.05 - 1e-12;
    });
    if (dropped.length === 0) continue;
    const message = { at: now, packages: dropped };
    places.set(message, happened.length);
    sent.push(message);
  }
  return sent;
}

/** How many price changes came before each message. */
const places = new WeakMap<Sent, number>();

/** The index of the price step in force after `place` changes. */
function lastBefore(steps: readonly { place: number }[], place: number): number {
  return steps.findLastIndex((step) => step.place < place);
}

/** London's time as ISO text: one hour ahead of UTC from the last Sunday of March to the last of October. */
function clockInLondon(at: number): string {
  const year = new Date(at).getUTCFullYear();
  const isSummer = at >= changeOf(year, 2) && at < changeOf(year, 9);
  return new Date(at + (isSummer ? HOUR_MS : 0)).toISOString();
}

function changeOf(year: number, month: number): number {
  const known = changes.get(year * 12 + month);
  if (known !== undefined) return known;
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  const change = last.getTime() - last.getUTCDay() * 24 * HOUR_MS;
  changes.set(year * 12 + month, change);
  return change;
}

const changes = new Map<number, number>();

/** Set PRICE_HISTORIES=2000000 for a long run. */
const HISTORIES = Number(process.env.PRICE_HISTORIES ?? 100_000);

describe('price drops, over generated histories', () => {
  it('lead to the same messages as in a simple implementation that knows the whole history', {
    timeout: 3_600_000,
  }, () => {
    let messages = 0;
    fc.assert(
      fc.property(history, (made) => {
        const sent = byTheRules(made);
        messages += sent.length;
        expect(sent).toEqual(byTheOracle(made));
      }),
      { numRuns: HISTORIES },
    );
    // Fails if the histories have too few messages to prove anything.
    expect(messages).toBeGreaterThan(HISTORIES / 5);
  });
});
