import * as v from 'valibot';

/** Where the visitor may be sent: nothing but http and https. */
const OutsideUrl = v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//i));

const Provider = v.object({
  name: v.string(),
  logoUrl: v.optional(v.nullable(v.string()), null),
  atol: v.optional(v.nullable(v.string()), null),
});

/**
 * `/config.json`: what an operator sets without building the page again. Addresses may be relative to the
 * page. Every field has a default, so that an operator names only what differs.
 */
const PageConfigSchema = v.object({
  searchEndpoint: v.optional(v.string(), '/graphql'),
  searchApiKey: v.optional(v.string(), ''),
  conversationEndpoint: v.optional(v.nullable(v.string()), null),
  locationsUrl: v.optional(v.string(), '/data/locations.csv'),
  departureAirportsUrl: v.optional(v.string(), '/data/departure-airports.csv'),
  brandName: v.optional(v.string(), 'Skylark'),
  brandCode: v.optional(v.string(), 'SKY'),
  providerName: v.optional(v.nullable(v.string()), null),
  providerUrl: v.optional(v.nullable(OutsideUrl), null),
  providers: v.optional(v.record(v.string(), Provider), {}),
  whatsappChannelId: v.optional(v.nullable(v.string()), null),
  priceAnalysisUrl: v.optional(v.nullable(v.string()), null),
  visitsEndpoint: v.optional(v.nullable(v.string()), null),
  vitalsEndpoint: v.optional(v.nullable(v.string()), null),
  sampleInventory: v.optional(v.boolean(), false),
});

export type PageConfig = v.InferOutput<typeof PageConfigSchema>;

/** A provider as the page shows it: its name, its logo where there is one, its ATOL number where known. */
export type ProviderDetails = PageConfig['providers'][string];

/** The configuration in a parsed JSON text. Throws an Error that names the first field that is wrong. */
export function parsePageConfig(raw: unknown): PageConfig {
  const result = v.safeParse(PageConfigSchema, raw);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`config.json: ${v.getDotPath(issue) ?? 'the file'} is wrong: ${issue.message}`);
}

/** What holds until the configuration is here, for the parts of the page that are painted before. */
export const DEFAULT_PAGE_CONFIG: PageConfig = parsePageConfig({});
