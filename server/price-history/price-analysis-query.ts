import * as v from 'valibot';
import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import type { Caller } from '../lib/caller.ts';
import type { PriceAnalyses } from './price-analyses.ts';

/** The most keys in a request: a page of results. */
const MAX_KEYS = 10;

const MAX_KEY_LENGTH = 400;

const LIMITS = `takes at most ${MAX_KEYS} item keys of at most ${MAX_KEY_LENGTH} characters`;

const variablesSchema = v.strictObject({
  itemKeys: v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(MAX_KEY_LENGTH, LIMITS))),
    v.maxLength(MAX_KEYS, LIMITS),
  ),
});

/** Resolves `priceAnalysis` from unvalidated arguments (docs/contracts/price-analysis.md). */
export type PriceAnalysisQuery = (
  variables: unknown,
  caller?: Caller,
) => Promise<
  | { kind: 'analyses'; analyses: PriceAnalysisResponse[] }
  | { kind: 'bad-input'; field: string; message: string }
>;

/** The query; if `service` is null, it returns no analyses. `now` is in milliseconds since the epoch. */
export function priceAnalysisQuery(service: PriceAnalyses | null, now: () => number): PriceAnalysisQuery {
  return async (variables, caller) => {
    const parsed = v.safeParse(variablesSchema, variables);
    if (!parsed.success) return { kind: 'bad-input', field: 'itemKeys', message: `itemKeys ${LIMITS}.` };
    const found = await service?.analyse([...new Set(parsed.output.itemKeys)], now(), caller);
    return { kind: 'analyses', analyses: found ?? [] };
  };
}
