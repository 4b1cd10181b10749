import * as v from 'valibot';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { PriceHistoryResponse } from '../../domain/price-history-response.ts';
import type { Caller } from '../lib/caller.ts';
import type { PriceAnalyses } from './price-analyses.ts';
import { pointResponse, pounds } from './price-analysis-response.ts';
import { PLOT_DAYS, type PriceHistory } from './price-history.ts';

const MAX_KEY_LENGTH = 400;

const variablesSchema = v.strictObject({
  itemKey: v.pipe(v.string(), v.maxLength(MAX_KEY_LENGTH)),
});

/** Resolves `priceHistory` from unvalidated arguments (docs/contracts/price-history.md). */
export type PriceHistoryQuery = (
  variables: unknown,
  caller?: Caller,
) => Promise<
  | { kind: 'history'; history: PriceHistoryResponse | null }
  | { kind: 'bad-input'; field: string; message: string }
>;

/** The query; if `service` is null, it returns no history. `now` is in milliseconds since the epoch. */
export function priceHistoryQuery(service: PriceAnalyses | null, now: () => number): PriceHistoryQuery {
  return async (variables, caller) => {
    const parsed = v.safeParse(variablesSchema, variables);
    if (!parsed.success) {
      const message = `itemKey must have at most ${MAX_KEY_LENGTH} characters.`;
      return { kind: 'bad-input', field: 'itemKey', message };
    }
    const found = (await service?.history(parsed.output.itemKey, now(), caller)) ?? null;
    return { kind: 'history', history: found && toPriceHistoryResponse(found) };
  };
}

/** A history in the API's form. */
function toPriceHistoryResponse(history: PriceHistory): PriceHistoryResponse {
  const { itemKey, price, seenAt, today, daily, lowest30, typical, similar, sample } = history;
  return {
    itemKey,
    price: pounds(price),
    asOf: new Date(seenAt * 60_000).toISOString(),
    from: fromDayNumber(today - PLOT_DAYS + 1),
    to: fromDayNumber(today),
    prices: daily.map(pointResponse),
    lowest30: lowest30 && { ...pointResponse(lowest30), days: lowest30.days },
    typical: typical && { low: pounds(typical.low), high: pounds(typical.high) },
    similar: similar && {
      ...similar,
      low: pounds(similar.low),
      median: pounds(similar.median),
      high: pounds(similar.high),
    },
    sample,
  };
}
