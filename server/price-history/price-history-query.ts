import * as v from 'valibot';
import type { PriceHistoryResponse } from '../../domain/price-history-response.ts';
import type { Caller } from '../lib/caller.ts';
import type { PriceAnalyses } from './price-analyses.ts';

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
    const found = await service?.history(parsed.output.itemKey, now(), caller);
    return { kind: 'history', history: found ?? null };
  };
}
