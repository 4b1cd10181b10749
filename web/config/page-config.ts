import * as v from 'valibot';
import { BrandColoursSchema } from '../../domain/brand-colours.ts';
import { OutsideAddress, PageAddress, TrustedAddress } from './page-address.ts';

const Provider = v.object({
  name: v.string(),
  logoUrl: v.optional(v.nullable(TrustedAddress), null),
  atol: v.optional(v.nullable(v.union([v.string(), v.pipe(v.number(), v.transform(String))])), null),
});

/**
 * `/config.json`: what an operator sets without building the page again. Addresses may be relative to the
 * page. Every field has a default, so that an operator names only what differs. Where the page looks for its
 * service and its lists must be right; a mistake in the rest costs no more than itself.
 */
const PageConfigSchema = v.object({
  searchEndpoint: v.optional(PageAddress, '/graphql'),
  searchApiKey: v.optional(v.string(), ''),
  /** '' is the page's own origin; null: nobody can ask for alerts. */
  conversationEndpoint: v.optional(v.nullable(PageAddress), ''),
  locationsUrl: v.optional(PageAddress, '/data/locations.csv'),
  departureAirportsUrl: v.optional(PageAddress, '/data/departure-airports.csv'),
  /** What places of the list are also called. */
  otherNames: v.optional(v.record(v.string(), v.array(v.string())), {}),
  brandName: v.optional(v.string(), 'Skylark'),
  brandCode: v.optional(v.string(), 'SKY'),
  /** Null: the page's own. */
  brandLogoUrl: v.optional(v.nullable(TrustedAddress), null),
  brandColours: v.optional(v.nullable(BrandColoursSchema), null),
  /** What the brand adds to the footer. */
  footerText: v.optional(v.nullable(v.string()), null),
  providerName: v.optional(v.nullable(v.string()), null),
  providerUrl: v.optional(v.nullable(OutsideAddress), null),
  providers: v.optional(v.record(v.string(), Provider), {}),
  whatsappChannelId: v.optional(v.nullable(v.string()), null),
  priceAnalysisUrl: v.optional(v.nullable(TrustedAddress), null),
  visitsEndpoint: v.optional(v.nullable(PageAddress), null),
  vitalsEndpoint: v.optional(v.nullable(PageAddress), null),
  cheapestDates: v.optional(v.boolean(), false),
  sampleInventory: v.optional(v.boolean(), false),
});

export type PageConfig = v.InferOutput<typeof PageConfigSchema>;

/** A provider as the page shows it: its name, its logo where there is one, its ATOL number where known. */
export type ProviderDetails = PageConfig['providers'][string];

/** Without these the page would ask a wrong server, so a mistake in one of them is a failure of all. */
const ADDRESSES = [
  'searchEndpoint',
  'searchApiKey',
  'conversationEndpoint',
  'locationsUrl',
  'departureAirportsUrl',
];

/**
 * The configuration in a parsed JSON text. Throws an Error that names the first field that is wrong where the
 * page could not do its work. Any other wrong value is left out alone, with a warning in the console: one provider's
 * logo costs neither its name nor the other providers.
 */
export function parsePageConfig(raw: unknown): PageConfig {
  if (!isRecord(raw)) throw new Error('config.json: it is wrong: it holds no object');
  const kept = structuredClone(raw);
  for (;;) {
    const result = v.safeParse(PageConfigSchema, kept);
    if (result.success) return result.output;
    const [issue] = result.issues;
    const words = `config.json: ${v.getDotPath(issue) ?? ''} is wrong: ${issue.message}`;
    const path = issue.path ?? [];
    // What lacks something that it must have is left out itself.
    const wrong = path.findLast(({ value }) => value !== undefined);
    if (wrong === undefined || ADDRESSES.includes(String(path[0]?.key))) throw new Error(words);
    console.warn(`${words}. It is left out.`);
    Reflect.deleteProperty(wrong.input as object, wrong.key as PropertyKey);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What holds until the configuration is here, for the parts of the page that are painted before. */
export const DEFAULT_PAGE_CONFIG: PageConfig = parsePageConfig({});
