import * as v from 'valibot';

const count = v.pipe(v.number(), v.integer());
const Named = v.array(v.object({ value: v.string(), name: v.string(), count }));
const Thresholds = v.array(v.object({ from: v.number(), count }));
const Times = v.array(v.object({ from: v.string(), to: v.string(), count }));

/** The options of each filter with their counts over the whole answer (`docs/contracts/graphql.md`). */
const FacetsSchema = v.object({
  prices: v.array(v.object({ from: v.number(), to: v.number(), count })),
  boards: Named,
  airports: Named,
  airlines: Named,
  providers: Named,
  stars: Thresholds,
  guestRatings: Thresholds,
  outboundTimes: Times,
  inboundTimes: Times,
  bags: count,
  freeChild: count,
});

/** Facets as the server sent them; null if they are missing or malformed. */
export function readFacets(sent: unknown): Facets | null {
  const parsed = v.safeParse(FacetsSchema, sent);
  return parsed.success ? parsed.output : null;
}

export type Facets = v.InferOutput<typeof FacetsSchema>;
