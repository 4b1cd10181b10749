import * as v from 'valibot';
import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { poundsToPence } from '../../domain/money.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import type { DayPrices } from './price-month.ts';
import { withTimeout } from './with-timeout.ts';

/** Where prices are asked for. */
export interface PriceService {
  searchEndpoint: string;
  searchApiKey: string;
}

/** Fetches the prices of each of the filters, in one request. Rejects if it fails or is aborted. */
export type FetchDayPrices = (
  service: PriceService,
  filters: readonly PackageSearchFilters[],
  signal: AbortSignal,
) => Promise<DayPrices[]>;

export interface DayPricesOptions {
  send: typeof fetch;
  now: () => number;
  /** Milliseconds before a request: a visitor who pages on causes none for the months in between. */
  pauseMs: number;
}

const TIMEOUT_MS = 20_000;
const PAUSE_MS = 120;

/** Prices change with imports. */
const HELD_MS = 5 * 60_000;
const MOST_HELD = 100;

const Prices = v.array(
  v.object({
    DepartureDate: v.pipe(
      v.string(),
      v.check((text) => parseCalendarDate(text) !== null),
    ),
    TotalPrice: v.pipe(v.number(), v.finite(), v.minValue(0)),
  }),
);

const Answer = v.object({ data: v.record(v.string(), Prices) });

/** `fetchDayPrices` with a memory of its own: the same question is answered from it for five minutes. */
export function createDayPrices({ send, now, pauseMs }: DayPricesOptions): FetchDayPrices {
  const held = new Map<string, { prices: DayPrices; until: number }>();

  function heldPrices(key: string): DayPrices | null {
    const known = held.get(key);
    if (known !== undefined && known.until > now()) return known.prices;
    held.delete(key);
    return null;
  }

  function hold(key: string, prices: DayPrices): void {
    held.set(key, { prices, until: now() + HELD_MS });
    const [oldest] = held.keys();
    if (held.size > MOST_HELD && oldest !== undefined) held.delete(oldest);
  }

  return async (service, filters, signal) => {
    const questions = filters.map((each) => ({
      filters: each,
      key: JSON.stringify([service.searchEndpoint, service.searchApiKey, each]),
    }));
    const found = new Map(questions.map(({ key }) => [key, heldPrices(key)]));
    const missing = questions.filter(({ key }) => found.get(key) === null);
    if (missing.length > 0) {
      await pause(pauseMs, signal);
      const answers = await ask(send, service, missing, signal);
      for (const [nth, { key }] of missing.entries()) {
        const prices = answers[nth] ?? new Map();
        found.set(key, prices);
        hold(key, prices);
      }
    }
    return questions.map(({ key }) => found.get(key) ?? new Map());
  };
}

export const fetchDayPrices = createDayPrices({
  send: (...request) => fetch(...request),
  now: () => performance.now(),
  pauseMs: PAUSE_MS,
});

async function ask(
  send: typeof fetch,
  { searchEndpoint, searchApiKey }: PriceService,
  questions: readonly { filters: PackageSearchFilters }[],
  signal: AbortSignal,
): Promise<DayPrices[]> {
  const response = await send(searchEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': searchApiKey },
    body: JSON.stringify({
      query: queryOf(questions.length),
      variables: Object.fromEntries(questions.map(({ filters }, nth) => [`filters${nth}`, filters])),
    }),
    signal: withTimeout(signal, TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${searchEndpoint} answered ${response.status}`);
  const { data } = v.parse(Answer, await response.json());
  return questions.map((_, nth) => {
    const prices = data[`prices${nth}`];
    if (prices === undefined) throw new Error(`${searchEndpoint} answered without prices`);
    return new Map(prices.map(({ DepartureDate, TotalPrice }) => [DepartureDate, poundsToPence(TotalPrice)]));
  });
}

/** A query with a field for each question. */
function queryOf(count: number): string {
  const each = Array.from({ length: count }, (_, nth) => nth);
  const variables = each.map((nth) => `$filters${nth}: PackageSearchFilters!`).join(', ');
  const fields = each.map(
    (nth) => `  prices${nth}: priceCalendar(filters: $filters${nth}) { DepartureDate TotalPrice }`,
  );
  return `query priceCalendar(${variables}) {\n${fields.join('\n')}\n}`;
}

/** Rejects with the signal's reason if it is aborted before the time is over. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
