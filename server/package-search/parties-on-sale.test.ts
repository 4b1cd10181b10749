import { expect, it } from 'vitest';
import type { Party } from '../../domain/party.ts';
import { Overloaded } from '../lib/overloaded.ts';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { cachedPartiesOnSale } from './parties-on-sale.ts';

const COUPLE: Party = { adults: 2, children: 0, infants: 0 };
const FAMILY: Party = { adults: 2, children: 1, infants: 0 };

function cached() {
  const store = { answer: (): Promise<Party[]> => Promise.resolve([COUPLE]), reads: 0, now: 1 };
  const partiesOnSale = cachedPartiesOnSale(
    () => {
      store.reads += 1;
      return store.answer();
    },
    () => store.now,
  );
  return { store, partiesOnSale };
}

it('reads the parties once a minute', async () => {
  const { store, partiesOnSale } = cached();
  expect(await partiesOnSale()).toEqual([COUPLE]);
  store.now = 60_000;
  expect(await partiesOnSale()).toEqual([COUPLE]);
  expect(store.reads).toBe(1);
  store.answer = () => Promise.resolve([COUPLE, FAMILY]);
  store.now = 60_002;
  expect(await partiesOnSale()).toEqual([COUPLE, FAMILY]);
});

it('keeps the last known parties while packages cannot be read', async () => {
  const { store, partiesOnSale } = cached();
  await partiesOnSale();
  store.answer = () => Promise.reject(new StoreUnavailable());
  store.now = 60_002;
  expect(await partiesOnSale()).toEqual([COUPLE]);
  store.answer = () => Promise.resolve([FAMILY]);
  store.now = 120_001;
  expect(await partiesOnSale()).toEqual([FAMILY]);
});

it('returns no parties, for that call only, if packages could never be read', async () => {
  const { store, partiesOnSale } = cached();
  store.answer = () => Promise.reject(new StoreUnavailable());
  expect(await partiesOnSale()).toEqual([]);
  store.answer = () => Promise.resolve([COUPLE]);
  expect(await partiesOnSale()).toEqual([COUPLE]);
});

it('keeps the last known parties while too many searches wait', async () => {
  const { store, partiesOnSale } = cached();
  await partiesOnSale();
  store.answer = () => Promise.reject(new Overloaded(1_000));
  store.now = 60_000;
  expect(await partiesOnSale()).toEqual([COUPLE]);
});

it('reports any other failure, and reads again', async () => {
  const { store, partiesOnSale } = cached();
  store.answer = () => Promise.reject(new Error('no such column'));
  await expect(partiesOnSale()).rejects.toThrow('no such column');
  store.answer = () => Promise.resolve([COUPLE]);
  expect(await partiesOnSale()).toEqual([COUPLE]);
});
