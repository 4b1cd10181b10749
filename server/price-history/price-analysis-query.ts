import * as v from 'valibot';
import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import type { PriceHistoryResponse } from '../../domain/price-history-response.ts';
import type { Caller } from '../lib/caller.ts';
import type { PriceAnalyses } from './price-analyses.ts';

/** The most keys in a request: a page of results. */
const MAX_KEYS = 10;

const MAX_KEY_LENGTH = 400;

const LIMITS = `takes at most ${MAX_KEYS} item keys of at most ${MAX_KEY_LENGTH} characters`;

const itemKey = v.pipe(v.string(), v.maxLength(MAX_KEY_LENGTH));
const itemKeys = v.pipe(v.array(itemKey), v.maxLength(MAX_KEYS));

/** A field's resolver, from unvalidated arguments. */
type PriceQuery<Found> = (
  variables: unknown,
  caller?: Caller,
) => Promise<Found | { kind: 'bad-input'; field: string; message: string }>;

/** Resolves `priceAnalysis` (docs/contracts/price-analysis.md). */
export type PriceAnalysisQuery = PriceQuery<{ kind: 'analyses'; analyses: PriceAnalysisResponse[] }>;

/** Resolves `priceHistory` (docs/contracts/price-history.md). */
export type PriceHistoryQuery = PriceQuery<{ kind: 'history'; history: PriceHistoryResponse | null }>;

/** The query of analyses; `now` is in milliseconds since the epoch. */
export function priceAnalysisQuery(service: PriceAnalyses, now: () => number): PriceAnalysisQuery {
  return async (variables, caller) => {
    const parsed = v.safeParse(v.strictObject({ itemKeys }), variables);
    if (!parsed.success) return { kind: 'bad-input', field: 'itemKeys', message: `itemKeys ${LIMITS}.` };
    const keys = [...new Set(parsed.output.itemKeys)];
    return { kind: 'analyses', analyses: await service.analyse(keys, now(), caller) };
  };
}

/** The query of a history. */
export function priceHistoryQuery(service: PriceAnalyses, now: () => number): PriceHistoryQuery {
  return async (variables, caller) => {
    const parsed = v.safeParse(v.strictObject({ itemKey }), variables);
    const message = `itemKey must have at most ${MAX_KEY_LENGTH} characters.`;
    if (!parsed.success) return { kind: 'bad-input', field: 'itemKey', message };
    return { kind: 'history', history: await service.history(parsed.output.itemKey, now(), caller) };
  };
}
