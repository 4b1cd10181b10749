import * as v from 'valibot';

// `PriceAnalysis` of the GraphQL API (docs/contracts/price-analysis.md). The server's types and the widget's
// query and parser derive from these schemas. Money is in pounds.

/** Used for pounds, percents and probabilities. */
export const decimal = v.pipe(v.number(), v.finite());
export const count = v.pipe(v.number(), v.integer());
/** YYYY-MM-DD. */
export const day = v.pipe(v.string(), v.isoDate());

export const priceLevel = v.picklist(['LOW', 'TYPICAL', 'HIGH', 'CHECK_PRICE', 'NO_VERDICT']);

/** Why there is no verdict. */
export const priceAbstention = v.picklist(['STALE', 'FEW_PRICES', 'MIXED']);

export const pricePoint = v.object({ day, price: decimal });

export const priceChange = v.object({ amount: decimal, since: day });

export const ownPrices = v.object({ median: decimal, prices: count });

export const similarPrices = v.object({
  median: decimal,
  prices: count,
  hotels: count,
  comparedWith: v.string(),
});

export const lowestPrice = v.object({ ...pricePoint.entries, days: count });

export const priceEvidence = v.object({
  own: v.nullable(ownPrices),
  similar: v.nullable(similarPrices),
  knownSince: day,
  sample: v.boolean(),
  history: v.pipe(v.array(pricePoint), v.minLength(1), v.maxLength(30)),
});

export const expectedPrice = v.object({
  price: decimal,
  low: decimal,
  high: decimal,
  modelVersion: count,
});

export const priceAnalysisResponse = v.object({
  itemKey: v.string(),
  price: decimal,
  asOf: v.pipe(v.string(), v.isoTimestamp()),
  level: priceLevel,
  label: v.string(),
  sentence: v.string(),
  abstention: v.nullable(priceAbstention),
  holiday: v.nullable(v.string()),
  change: v.nullable(priceChange),
  lowest30: v.nullable(lowestPrice),
  expected: v.nullable(expectedPrice),
  evidence: v.nullable(priceEvidence),
  advice: v.nullable(v.string()),
});

export type PriceAnalysisResponse = v.InferOutput<typeof priceAnalysisResponse>;
export type PriceEvidenceResponse = v.InferOutput<typeof priceEvidence>;

/** The schemas that have a GraphQL equivalent. */
export type ResponseField =
  | { readonly type: 'string' | 'boolean' }
  | { readonly type: 'number'; readonly pipe?: readonly { readonly type: string }[] }
  | { readonly type: 'picklist'; readonly options: readonly string[] }
  | { readonly type: 'nullable'; readonly wrapped: ResponseField }
  | { readonly type: 'array'; readonly item: ResponseField }
  | { readonly type: 'object'; readonly entries: Readonly<Record<string, ResponseField>> };

/** Requests all fields of the analyses of up to ten packages. */
export const PRICE_ANALYSIS_QUERY = `query priceAnalysis($itemKeys: [String!]!) { priceAnalysis(itemKeys: $itemKeys)${selection(priceAnalysisResponse)} }`;

/** The GraphQL selection of all fields of a response. */
export function selection(field: ResponseField): string {
  if (field.type === 'nullable') return selection(field.wrapped);
  if (field.type === 'array') return selection(field.item);
  if (field.type !== 'object') return '';
  const members = Object.entries(field.entries).map(([name, inner]) => name + selection(inner));
  return ` { ${members.join(' ')} }`;
}
