import * as v from 'valibot';

const money = v.pipe(v.number(), v.finite());

const level = v.picklist(['LOW', 'TYPICAL', 'HIGH', 'NOT_ENOUGH_PRICES']);

const point = v.object({ day: v.pipe(v.string(), v.isoDate()), price: money });

const comparison = v.object({
  median: money,
  prices: v.number(),
  percent: v.pipe(v.number(), v.finite()),
  level,
  strong: v.boolean(),
});

const analysis = v.object({
  itemKey: v.string(),
  price: money,
  asOf: v.pipe(v.string(), v.isoTimestamp()),
  level,
  label: v.string(),
  evidence: v.nullable(
    v.object({
      typicalLow: money,
      typicalHigh: money,
      own: comparison,
      comparable: comparison,
      comparedWith: v.string(),
      windowDays: v.number(),
      knownSince: v.pipe(v.string(), v.isoDate()),
      sample: v.boolean(),
      history: v.pipe(v.array(point), v.minLength(1), v.maxLength(30)),
      lowest: point,
      latest: point,
    }),
  ),
  expected: v.nullable(
    v.object({
      price: money,
      low: money,
      high: money,
      reasons: v.array(v.object({ label: v.string(), amount: money })),
      modelVersion: v.number(),
    }),
  ),
  drop: v.nullable(v.object({ chance: v.number(), baseRate: v.number() })),
});

const answer = v.object({ data: v.object({ priceAnalysis: v.array(v.unknown()) }) });

/** One package's analysis (docs/contracts/price-analysis.md). Money is in pounds. */
export type PriceAnalysis = v.InferOutput<typeof analysis>;
export type Evidence = NonNullable<PriceAnalysis['evidence']>;
export type PricePoint = v.InferOutput<typeof point>;

/** The analyses in a parsed GraphQL answer. Invalid analyses are skipped. Throws if there is no answer. */
export function parsePriceAnalyses(raw: unknown): PriceAnalysis[] {
  return v.parse(answer, raw).data.priceAnalysis.flatMap((one) => {
    const parsed = v.safeParse(analysis, one);
    return parsed.success ? [parsed.output] : [];
  });
}
