import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { TODAY } from '../fixtures/market.ts';
import { marketFolder, type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';
import { firstShownPrice, type ShownPrice } from '../fixtures/shown-price.ts';

let market: Awaited<ReturnType<typeof marketFolder>>;
let skylark: RunningSkylark;
let itemKey: string;
let shown: ShownPrice;
beforeAll(async () => {
  market = await marketFolder();
  skylark = await startSkylark(market.dataDir, { SAMPLE_INVENTORY: 'off', LOG_LEVEL: 'error' });
  shown = firstShownPrice(await (await search()).json());
  ({ itemKey } = shown);
});
afterAll(async () => {
  await skylark.stop();
  await market.remove();
});

it.each(['-wal', '-shm'])('accepts nothing while the %s file of the store is missing', async (ending) => {
  const file = join(market.dataDir, `inventory.sqlite${ending}`);
  const statuses = async () => [
    (await post('/intents', signUpBody(dramaNumber(9), itemKey))).status,
    (await fetch(`${skylark.url}/readyz`)).status,
    (await search()).status,
  ];
  expect(await statuses()).toEqual([200, expect.any(Number), 200]);
  renameSync(file, `${file}-gone`);
  expect(await statuses()).toEqual([503, 503, 200]);
  renameSync(`${file}-gone`, file);
  expect((await statuses())[0]).toBe(200);
});

it('accepts nothing while the data folder is missing, and everything once it is back', async () => {
  const signUp = async (nth: number) =>
    (await post('/intents', signUpBody(dramaNumber(nth), itemKey))).status;
  const missing = async () => {
    const response = await fetch(`${skylark.url}/readyz`);
    const body = (await response.json()) as { missing: string[] };
    return {
      status: response.status,
      store: body.missing.filter((reason) => reason.includes('removed or replaced')),
    };
  };
  const click = async () => (await post('/visits', shown)).status;
  expect(await signUp(1)).toBe(200);
  expect((await missing()).store).toEqual([]);
  renameSync(market.dataDir, `${market.dataDir}-gone`);
  // The thread for clicks had not opened the store before.
  expect([await signUp(2), await click()]).toEqual([503, 503]);
  const refused = await post('/visits', shown);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toEqual({
    error: expect.stringContaining('try again'),
    code: 'STORE_UNAVAILABLE',
  });
  expect((await search()).status).toBe(200);
  expect(await missing()).toEqual({ status: 503, store: [expect.any(String)] });
  renameSync(`${market.dataDir}-gone`, market.dataDir);
  expect((await missing()).store).toEqual([]);
  expect([await signUp(3), await click()]).toEqual([200, 204]);
});

function search(): Promise<Response> {
  const startDate = addDays(TODAY, 7);
  const filters = {
    brand: 'SKY',
    country: 'Spain',
    startDate,
    endDate: addDays(startDate, 7),
    departureAirports: ['LGW'],
    numberOfAdults: 2,
    numberOfChildren: 0,
    numberOfInfants: 0,
    duration: 7,
  };
  const variables = { filters, sortBy: 'PRICE_ASC', limit: 10, nextToken: null };
  return post('/graphql', { query: SEARCH_PACKAGES_QUERY, variables });
}

function post(path: string, body: object): Promise<Response> {
  return fetch(skylark.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'skylark-public' },
    body: JSON.stringify(body),
  });
}
