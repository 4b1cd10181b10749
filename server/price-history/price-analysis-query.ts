import * as v from 'valibot';
import type { PriceAnalysisAnswer } from '../../domain/price-analysis-answer.ts';
import type { PriceAnalyses } from './price-analyses.ts';
import { toPriceAnalysisAnswer } from './price-analysis-answer.ts';

/** A page of results has no more. */
const MOST_KEYS = 10;

const LONGEST_KEY = 400;

const TAKES = `takes at most ${MOST_KEYS} item keys of at most ${LONGEST_KEY} characters`;

const asked = v.strictObject({
  itemKeys: v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(LONGEST_KEY, TAKES))),
    v.maxLength(MOST_KEYS, TAKES),
  ),
});

/** Answers `priceAnalysis` by its unchecked arguments (docs/contracts/price-analysis.md). */
export type PriceAnalysisQuery = (
  variables: unknown,
) => Promise<
  | { kind: 'analyses'; analyses: PriceAnalysisAnswer[] }
  | { kind: 'bad-input'; field: string; message: string }
>;

/** The query over a service; without one nothing is known of any package. `now` in milliseconds since 1970. */
export function priceAnalysisQuery(service: PriceAnalyses | null, now: () => number): PriceAnalysisQuery {
  return async (variables) => {
    const parsed = v.safeParse(asked, variables);
    if (!parsed.success) return { kind: 'bad-input', field: 'itemKeys', message: `itemKeys ${TAKES}.` };
    const found = await service?.analyse([...new Set(parsed.output.itemKeys)], now());
    return { kind: 'analyses', analyses: (found ?? []).map(toPriceAnalysisAnswer) };
  };
}
