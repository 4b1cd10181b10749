import { expect, it } from 'vitest';
import type { Party } from '../../../domain/party.ts';
import { Overloaded } from '../../lib/overloaded.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { cachedPartiesOnSale } from './parties-on-sale.ts';

const COUPLE: Party = { adults: 2, children: 0, infants: 0 };
const FAMILY: Party = { adults: 2, children: 1, infants: 0 };

function cached() {
  const store = {
    answer: (): Promise<Party[]> => Promise.resolve([COUPLE]),
    reads: 0,
    now: 1,
    failures: [] as unknown[],
  };
  const partiesOnSale = cachedPartiesOnSale(
    () => {
      store.reads += 1;
      return store.answer();
    },
    () => store.now,
    (error) => store.failures.push(error),
  );
  /** The parties once a reading that they have begun has ended. */
  const afterReading = async () => {
    partiesOnSale();
    await new Promise(setImmediate);
    return partiesOnSale();
  };
  return { store, partiesOnSale, afterReading };
}

it('returns the known parties without waiting for a reading, and none before the first', async () => {
  const { store, partiesOnSale, afterReading } = cached();
  const { promise, resolve } = Promise.withResolvers<Party[]>();
  store.answer = () => promise;
  expect(partiesOnSale()).toEqual([]);
  expect(await afterReading()).toEqual([]);
  expect(store.reads).toBe(1);
  resolve([COUPLE]);
  expect(await afterReading()).toEqual([COUPLE]);
});

it('reads the parties once a minute', async () => {
  const { store, partiesOnSale, afterReading } = cached();
  expect(await afterReading()).toEqual([COUPLE]);
  store.now = 60_000;
  expect(await afterReading()).toEqual([COUPLE]);
  expect(store.reads).toBe(1);
  store.answer = () => Promise.resolve([COUPLE, FAMILY]);
  store.now = 60_002;
  expect(partiesOnSale()).toEqual([COUPLE]);
  expect(await afterReading()).toEqual([COUPLE, FAMILY]);
});

it.each([new StoreUnavailable(), new Overloaded(1_000)])(
  'keeps the last known parties while packages cannot be read: %o',
  async (error) => {
    const { store, afterReading } = cached();
    await afterReading();
    store.answer = () => Promise.reject(error);
    store.now = 60_002;
    expect(await afterReading()).toEqual([COUPLE]);
    store.answer = () => Promise.resolve([FAMILY]);
    await afterReading();
    expect(await afterReading()).toEqual([FAMILY]);
    expect(store.failures).toEqual([]);
  },
);

it('reports any other failure, and reads again', async () => {
  const { store, afterReading } = cached();
  store.answer = () => Promise.reject(new Error('no such column'));
  expect(await afterReading()).toEqual([]);
  expect(store.failures).toContainEqual(new Error('no such column'));
  store.answer = () => Promise.resolve([COUPLE]);
  await afterReading();
  expect(await afterReading()).toEqual([COUPLE]);
});
