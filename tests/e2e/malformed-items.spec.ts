import { changedItem, consoleAt, DAY, openItems, plainNames } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards } from './support/journeys.ts';

const GOOD = Array.from({ length: 86 }, (_, index) => changedItem(index + 1));

const DAMAGED: readonly [string, unknown][] = [
  ['nothing at all', null],
  ['a number', 7],
  ['an empty object', {}],
  ['a hotel of broken JSON', changedItem(0, { Hotel: '{"HotelName":"Half a hotel"' })],
  ['a flight of broken JSON', changedItem(0, { Flight: '{"DepartureDateTime_Outbound":"20' })],
  ['a link of broken JSON', changedItem(0, { AdditionalData: '{]' })],
  ['no hotel', changedItem(0, { Hotel: null })],
  ['no key', changedItem(0, { ItemKey: undefined })],
  ['no price', changedItem(0, { TotalPrice: null })],
  ['a price in words', changedItem(0, { TotalPrice: 'four hundred' })],
  ['a price below nothing', changedItem(0, { TotalPrice: -400 })],
  ['negative nights', changedItem(0, { Duration: -7 })],
  ['absurd nights', changedItem(0, { Duration: 100_000 })],
  ['a day that is none', changedItem(0, { DepartureDate: '2027-02-30', Flight: null })],
];

// @proves 3.9
test('loses only the bad items, and counts them in the console', async ({ page, mock }) => {
  const warned = consoleAt(page, 'warning');
  const damaged = DAMAGED.map(([, item]) => item);
  await openItems(page, mock, [...GOOD.slice(0, 5), ...damaged, ...GOOD.slice(5)]);
  await expect(page.getByText(`Showing 1 to 10 of ${GOOD.length} results`)).toBeVisible();
  await expect.poll(() => plainNames(page)).toEqual(Array.from({ length: 10 }, (_, at) => `Hotel ${at + 1}`));
  const all = GOOD.length + damaged.length;
  expect(warned.join('\n')).toContain(`${damaged.length} of ${all} packages are unreadable and left out.`);
});

// @proves 3.8
test('shows items with unusual but readable fields in full', async ({ page, mock }) => {
  const warned = consoleAt(page, 'warning');
  const nested = changedItem(1);
  await openItems(page, mock, [
    { ...nested, Hotel: JSON.stringify(nested.Hotel), Flight: JSON.stringify(nested.Flight) },
    { ...changedItem(2), TotalPrice: '512.50', Duration: '7', NumberOfAdults: '2', LuggageIncluded: '1' },
    { ...changedItem(3), Colour: 'mauve', PriceDetails: { TotalPrice: 1 }, constructor: 'x' },
    JSON.parse(JSON.stringify(changedItem(4)).replace('{', '{"__proto__":{"polluted":true},')) as unknown,
    changedItem(5, { Hotel: '{"__proto__":{"polluted":true},"HotelName":"Hotel 5","StarRating":4}' }),
    changedItem(6, { flight: { FlightDuration_Outbound: -9_300 } }),
    changedItem(7, { flight: { FlightDuration_Outbound: 1e12, AirlineName_Outbound: 7 } }),
    changedItem(8, { DepartureDate: `${DAY}T00:00:00.000Z`, Duration: 7 }),
  ]);
  await expect.poll(() => plainNames(page)).toEqual(Array.from({ length: 8 }, (_, at) => `Hotel ${at + 1}`));
  await expect(cards(page).nth(0)).toContainText('Seaward Air');
  await expect(cards(page).nth(1)).toContainText('£513');
  for (const at of [5, 6]) {
    const facts = cards(page).nth(at).locator('.holiday-facts');
    await expect(facts).not.toContainText(/\dh \d|-\d|Infinity|NaN/);
  }
  expect(await page.evaluate(() => 'polluted' in {})).toBe(false);
  expect(warned).toEqual([]);
});
