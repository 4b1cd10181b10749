import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packagesFound } from '../../server/alerts/matching/search-looks.ts';
import { totalPrice } from '../../server/inventory/offer-charges.ts';
import { searchBody } from '../fixtures/alerts/search-body.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';

const DAY = 24 * 3_600_000;
const SEARCH = 'country=Spain&from=LGW&date=2027-05-03&nights=7';

describe.each(ALL_STORE_KINDS)('Watching a search, in the %s store', (store) => {
  let alerts: SmallAlerts;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store, variables: { ALERT_CONFIRMATION: 'none' } });
  });
  afterEach(() => alerts.close());

  const watch = (search: string, prices: { limit?: number; booked?: number } = {}, phone = SOMEBODY) =>
    alerts.service.signUp({ body: searchBody(phone, search, prices), address: '198.51.100.7' });
  const send = async () => {
    await alerts.parts.dispatcher.drain();
    alerts.passTime(DAY);
  };
  const drops = async () =>
    (await alerts.messages()).filter(({ kind, state }) => kind === 'drop' && state === 'delivered');
  /** The packages of the search, the cheapest first, with their totals in pence. */
  const found = async (search = SEARCH, most = 3) => {
    const { database, packages } = alerts.parts.store;
    const offers = await packagesFound(database, `?${search}`, most, alerts.now());
    return Promise.all(
      offers.map(async (offer) => ({
        itemKey: (await packages.read(offer)).itemKey,
        total: totalPrice(offer),
      })),
    );
  };
  const lowest = async () => (await found())[0]?.total ?? 0;
  const cheapestKey = async () => (await found())[0]?.itemKey ?? '';

  it('tells of its lowest price once that is within the limit, and of each lower one', async () => {
    const before = await lowest();
    expect(await watch(SEARCH, { limit: Math.floor(before / 100) - 20 })).toMatchObject({ kind: 'ok' });
    await send();
    expect(await alerts.messages()).toMatchObject([
      {
        kind: 'welcome',
        text: expect.stringContaining(
          'Spain from London Gatwick, 7 nights from 3rd May 2027, for 2 adults. You asked for prices up to £',
        ),
      },
    ]);
    const key = await cheapestKey();
    for (const [fall, messages] of [
      [1_000, 0],
      [3_000, 1],
      [3_000, 1],
      [2_900, 1],
      [3_100, 2],
    ] as const) {
      await alerts.setPrice(key, before - fall);
      await send();
      expect(await drops(), `after a fall of ${fall}`).toHaveLength(messages);
    }
    const [first, second] = await drops();
    const pounds = (pence: number) => `£${Math.round(pence / 100)}`;
    expect(first?.text).toContain(`Price drop to ${pounds(before - 3_000)}, from ${pounds(before)}:`);
    expect(first?.text).toContain(
      'Spain from London Gatwick, 7 nights from 3rd May 2027, for 2 adults: Hotel',
    );
    expect(second?.text).toContain(`drop to ${pounds(before - 3_100)}, from ${pounds(before - 3_000)}:`);
  });

  it('tells of a price again after it has risen by 5% and above the limit', async () => {
    const before = await lowest();
    const limit = Math.floor(before / 100) - 20;
    const key = await cheapestKey();
    const [, hotel, , , , board] = key.split(':');
    await watch(`${SEARCH}&board=${board}&hotelcode=${hotel}`, { limit });
    const told = async (price: number) => {
      await alerts.setPrice(key, price);
      await send();
      return (await drops()).length;
    };
    expect(await told(limit * 100)).toBe(1);
    expect(await told(Math.floor(limit * 104.9))).toBe(1);
    expect(await told(limit * 100)).toBe(1);
    expect(await told(Math.ceil(limit * 105))).toBe(1);
    expect(await told(limit * 100)).toBe(2);
  });

  it('tells of a new package, and drops a message that is out of date when it could be sent', async () => {
    const key = await cheapestKey();
    const before = await lowest();
    await watch(SEARCH, { limit: Math.floor(before / 100) - 20 });
    await send();
    await alerts.setPrice(key, before - 5_000);
    await alerts.setPrice(key, before);
    await send();
    expect((await alerts.messages()).at(-1)).toMatchObject({
      state: 'dropped',
      reason: 'the price rose again',
    });
    await alerts.setPrice(key, before - 5_000);
    await send();
    expect(await drops()).toHaveLength(1);
  });

  it.each([
    ['with a limit', -20],
    ['without one', null],
  ])('does not repeat a price after a lower one that it could not send, %s', async (_, above) => {
    const before = await lowest();
    await watch(SEARCH, above === null ? {} : { limit: Math.floor(before / 100) + above });
    await send();
    const key = await cheapestKey();
    await alerts.setPrice(key, before - 5_000);
    await alerts.parts.dispatcher.drain();
    for (const fall of [6_000, 5_000]) {
      await alerts.setPrice(key, before - fall);
      await alerts.parts.dispatcher.drain();
    }
    alerts.passTime(DAY);
    await send();
    expect(await drops()).toHaveLength(1);
    expect((await alerts.messages()).at(-1)).toMatchObject({
      state: 'dropped',
      reason: 'the price rose again',
    });
    await alerts.setPrice(key, before - 6_000);
    await send();
    const pounds = (fall: number) => `£${Math.round((before - fall) / 100)}`;
    expect((await drops()).map(({ text }) => text)).toEqual([
      expect.stringContaining(`drop to ${pounds(5_000)}, from ${pounds(0)}:`),
      expect.stringContaining(`drop to ${pounds(6_000)}, from ${pounds(5_000)}:`),
    ]);
  });

  it('tells of a booked holiday once it costs 5% and £25 less, until departure, and without a last message', async () => {
    const key = await cheapestKey();
    const [, hotel, , , , board] = key.split(':');
    const booked = Math.ceil((await alerts.priceOf(key)) / 100);
    await alerts.setPrice(key, booked * 100);
    expect(await watch(`${SEARCH}&board=${board}&hotelcode=${hotel}`, { booked })).toMatchObject({
      kind: 'ok',
    });
    await send();
    for (const [percent, messages] of [
      [96, 0],
      [94, 1],
      [90, 2],
    ] as const) {
      await alerts.setPrice(key, booked * percent);
      await send();
      expect(await drops(), `at ${percent}%`).toHaveLength(messages);
    }
    const [first] = await drops();
    expect(first?.text).toContain(`, from £${booked}:`);
    expect(first?.text).toContain(`You booked it for £${booked}. Most providers don't refund a fall`);
    alerts.passTime(33 * DAY);
    await alerts.setPrice(key, booked * 50);
    await send();
    expect(await drops()).toHaveLength(2);
    expect((await alerts.messages()).filter(({ kind }) => kind !== 'welcome' && kind !== 'drop')).toEqual([]);
  });

  it('refuses a booking of anything but one hotel, day, number of nights and board', async () => {
    expect(await watch(`${SEARCH}&board=AI`, { booked: 900 })).toEqual({ kind: 'not a sign-up' });
    expect(await watch(`${SEARCH}&hotelcode=H-1`, { booked: 900 })).toEqual({ kind: 'not a sign-up' });
  });

  it.each([
    ['an unknown parameter', `${SEARCH}&colour=red`],
    ['an invalid part', `${SEARCH}&board=XX`],
    ['an unknown airport', SEARCH.replace('LGW', 'XXX')],
    ['no place', SEARCH.replace('country=Spain&', '')],
    ['words of its own as a place', SEARCH.replace('Spain', 'Win+a+prize')],
    ['filters on a long window', `${SEARCH}&until=2027-06-30&minstars=4`],
    ['a last day before the first', `${SEARCH}&until=2027-05-01`],
  ])('refuses a search with %s', async (_, search) => {
    expect(await watch(search)).toEqual({ kind: 'not a sign-up' });
    expect(await alerts.messages()).toEqual([]);
  });
});
