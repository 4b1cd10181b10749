import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { formatBriefWeekday, formatLongDate } from '../../domain/day-words.ts';
import { hotelPath } from '../../domain/hotel-path.ts';
import { formatPounds } from '../../domain/money.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { REFERENCE } from '../fixtures/small-inventory.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const CHEAPEST = `query ($filters: PackageSearchFilters!, $refine: SearchRefinements) {
  searchPackages(filters: $filters, refine: $refine, limit: 1) { items { ItemKey TotalPrice DepartureDate } }
}`;

const FIRST = '2027-05-01';
const HOTEL = { name: 'Hotel 5', code: 'H-5', path: hotelPath('Spain', 'Hotel 5', 'H-5') };
const SEARCH = '?country=Spain&from=LGW&date=2027-05-04&nights=7';

interface Item {
  ItemKey: string;
  TotalPrice: number;
  DepartureDate: string;
}

for (const kind of STORE_KINDS) {
  describe(`A hotel's page, ${kind}`, () => {
    let small: SmallApp;
    beforeAll(async () => {
      small = await openSmallApp({ store: kind });
    });
    afterAll(() => small.close());

    const open = (url: string) => small.app.inject({ method: 'GET', url });

    async function cheapest(filters: object, boards: string[] = []): Promise<Item | undefined> {
      const response = await small.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': API_KEY },
        payload: {
          query: CHEAPEST,
          variables: {
            filters: { ...FILTERS, departureAirports: ['LGW'], country: 'Spain', ...filters },
            refine: { hotelCode: HOTEL.code, boards },
          },
        },
      });
      return response.json<{ data: { searchPackages: { items: Item[] } } }>().data.searchPackages.items[0];
    }

    const onDay = (day: string) => ({ startDate: day, endDate: addDays(day, 7), lastDeparture: day });

    it('has the price that a search finds for each day and board, and shows the cheapest of the day', async () => {
      const { statusCode, body } = await open(HOTEL.path + SEARCH);
      expect(statusCode).toBe(200);
      const [, ...rows] = tableRows(body, 'hotel-table');
      expect(new Set(rows.map(([board]) => board))).toEqual(new Set(['All-Inclusive', 'Half Board']));
      for (const [board, ...cells] of rows) {
        expect(cells).toHaveLength(7);
        for (const [nth, cell] of cells.entries()) {
          const found = await cheapest(onDay(addDays(FIRST, nth)), [board === 'Half Board' ? 'HB' : 'AI']);
          expect(cell?.split(' ')[0]).toBe(found === undefined ? 'Not' : formatPounds(found.TotalPrice));
        }
      }
      const shown = await cheapest(onDay('2027-05-04'));
      expect(headingPrice(body)).toBe(shown && formatPounds(shown.TotalPrice));
    });

    it('has the lowest price of each month and board, whose link moves the seven days', async () => {
      const { body } = await open(HOTEL.path + SEARCH);
      const lowest: Item[] = [];
      for (const board of ['HB', 'AI']) {
        const items: (Item | undefined)[] = [];
        for (const [nth] of Array.from({ length: 12 }).entries())
          items.push(await cheapest(onDay(addDays(FIRST, nth)), [board]));
        const found = items.flatMap((item) => item ?? []);
        const [first] = found.toSorted((one, other) => one.TotalPrice - other.TotalPrice);
        if (first !== undefined) lowest.push(first);
      }
      const [, months = ''] = body.split('<div class="hotel-by-month">');
      expect(textOf(months)).toContain('May 2027');
      for (const { DepartureDate: day, TotalPrice } of lowest)
        expect(textOf(months)).toContain(`${formatPounds(TotalPrice)} ${formatBriefWeekday(day)}`);
      const [best] = lowest.toSorted((one, other) => one.TotalPrice - other.TotalPrice);
      expect(textOf(months)).toContain(`${formatBriefWeekday(best?.DepartureDate ?? '')}, the lowest`);
      expect(textOf(body)).toContain(
        `Cheapest in the next year: ${formatPounds(best?.TotalPrice ?? 0)} on ${formatLongDate(best?.DepartureDate ?? '')}.`,
      );
      const link = /href="([^"]*)#days"><b>/.exec(months)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const moved = await open(link);
      const day = new URLSearchParams(link.split('?')[1]).get('date') ?? '';
      const [heads = []] = tableRows(moved.body, 'hotel-table');
      expect(heads[4]).toBe(formatBriefWeekday(day));
    });

    it('shows the package that a cell names, though it is not the cheapest of its day', async () => {
      // One after another: several wide searches of one client would wait for each other.
      const pairs: (Item | undefined)[][] = [];
      for (const [nth] of Array.from({ length: 12 }).entries()) {
        const day = onDay(addDays(FIRST, nth));
        pairs.push([await cheapest(day, ['HB']), await cheapest(day, ['AI'])]);
      }
      const dearer = pairs.flatMap(([half, all]) => {
        if (!half || !all || half.TotalPrice === all.TotalPrice) return [];
        return half.TotalPrice > all.TotalPrice ? half : all;
      });
      expect(dearer).not.toEqual([]);
      for (const { ItemKey, TotalPrice, DepartureDate } of dearer) {
        const { body } = await open(
          `${HOTEL.path}?from=LGW&date=${DepartureDate}&nights=7&holiday=${encodeURIComponent(ItemKey)}`,
        );
        expect(headingPrice(body)).toBe(formatPounds(TotalPrice));
        expect(textOf(body)).toContain(`${formatLongDate(DepartureDate)}, 7 nights`);
      }
    });

    it('says that nothing is on sale, and offers the months', async () => {
      const { body, statusCode } = await open(`${HOTEL.path}?from=LGW&date=2027-08-01&nights=7`);
      expect(statusCode).toBe(200);
      expect(textOf(body)).toContain('Not on sale on these days');
      expect(textOf(body)).toMatch(/Cheapest in the next year: £[\d,]+ on \d+\w\w May 2027/);
    });

    it('says what feeds say about hotel and package, and once what they do not', async () => {
      const { body } = await open(HOTEL.path + SEARCH);
      const text = textOf(body);
      expect(text).toContain('About the hotel Pools &amp; &lt;quiet&gt; gardens. Outdoor pool Lift');
      expect(text).toContain('Transfer Not included');
      expect(text).toMatch(
        /Bags (?:Hand luggage only|1 bag included, 22 kg in the hold|2 bags included, 22 kg each in the hold) /,
      );
      expect(text).toMatch(/(?:Sunward|Blue Bay) doesn’t say: child prices. Ask before you book/);
      const { name, code } = REFERENCE.hotels[0] ?? { name: '', code: '' };
      const bare = textOf((await open(hotelPath('Spain', name, code) + SEARCH)).body);
      expect(bare.split('doesn’t say:')).toHaveLength(2);
      expect(bare).toMatch(/doesn’t say: transfer, facilities, child prices/);
      const unsold = textOf((await open(`${HOTEL.path}?from=LGW&date=2027-08-01`)).body);
      expect(unsold).toContain('No provider says: child prices.');
    });

    it('opens without a search: for tomorrow, two adults and any airport', async () => {
      const { body, headers, statusCode } = await open(HOTEL.path);
      expect(statusCode).toBe(200);
      expect(headers['x-robots-tag']).toBeUndefined();
      expect(textOf(body)).toContain('Not on sale on these days');
      expect((await open(HOTEL.path + SEARCH)).headers['x-robots-tag']).toBe('noindex');
    });

    it('reads names that need escaping, and never puts words of a link on the page', async () => {
      const { name, code } = REFERENCE.hotels[0] ?? { name: '', code: '' };
      const { body } = await open(
        `${hotelPath('Spain', name, code)}?from=LGW&date=%3Cb%3E&holiday=%3Cscript%3E`,
      );
      expect(body).toContain('<h1 class="hotel-name">Hotel &quot;Señorío&quot; del Sol</h1>');
      expect(body).not.toMatch(/<script>|<b>$/m);
    });

    it.each([
      ['another name', '/hotel/spain/hotel-six-H-5'],
      ['another country', '/hotel/greece/hotel-5-H-5'],
      ['an unknown code', '/hotel/spain/hotel-5-H-55'],
      ['no code', '/hotel/spain/hotel'],
    ])('is not found under %s', async (_what, path) => {
      expect((await open(path)).statusCode).toBe(404);
    });
  });
}

/** The text of a page, with single spaces. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.])/g, '$1');
}

function headingPrice(html: string): string | undefined {
  return /<h2 class="hotel-title" id="price"><strong>([^<]*)</.exec(html)?.[1];
}

/** The texts of a table's cells, row by row. */
function tableRows(html: string, className: string): string[][] {
  const [, table = ''] = html.split(`<table class="${className}">`);
  return (table.split('</table>')[0] ?? '')
    .split('<tr')
    .slice(1)
    .map((row) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell).trim()),
    );
}
