import * as v from 'valibot';
import { BrandColoursSchema } from '../../domain/brand-colours.ts';
import { MAX_OF_A_KIND } from '../../domain/party.ts';
import { OutsideUrl, PageUrl, TrustedUrl } from './page-url.ts';

const Provider = v.object({
  name: v.string(),
  logoUrl: v.optional(v.nullable(TrustedUrl), null),
  atol: v.optional(v.nullable(v.union([v.string(), v.pipe(v.number(), v.transform(String))])), null),
  priceCheckUrl: v.optional(v.nullable(PageUrl), null),
  oftenDearer: v.optional(v.boolean(), false),
});

const FooterLink = v.object({
  text: v.string(),
  url: v.union([TrustedUrl, v.pipe(v.string(), v.regex(/^mailto:/))]),
});

const people = (least: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(MAX_OF_A_KIND));

const PartySchema = v.object({
  adults: people(1),
  children: v.optional(people(0), 0),
  infants: v.optional(people(0), 0),
});

/**
 * `/config.json`: the operator's settings. URLs may be relative to the page, and every field has a default. The fields of
 * `REQUIRED_VALID` must be valid; any other invalid value is ignored.
 */
const PageConfigSchema = v.object({
  searchEndpoint: v.optional(PageUrl, '/graphql'),
  searchApiKey: v.optional(v.string(), ''),
  /** '' is the page's origin; null disables price alerts. */
  conversationEndpoint: v.optional(v.nullable(PageUrl), ''),
  locationsUrl: v.optional(PageUrl, '/data/locations.csv'),
  departureAirportsUrl: v.optional(PageUrl, '/data/departure-airports.csv'),
  /** Alternative names of places in the list. */
  otherNames: v.optional(v.record(v.string(), v.array(v.string())), {}),
  brandName: v.optional(v.string(), 'Skylark'),
  brandCode: v.optional(v.string(), 'SKY'),
  /** Null: the built-in logo. */
  brandLogoUrl: v.optional(v.nullable(TrustedUrl), null),
  brandColours: v.optional(v.nullable(BrandColoursSchema), null),
  footerText: v.optional(v.nullable(v.string()), null),
  footerLinks: v.optional(v.array(FooterLink), []),
  /** The newest root of the price record. */
  priceRecordRoot: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[\da-f]{64}$/))), null),
  providerName: v.optional(v.nullable(v.string()), null),
  providerUrl: v.optional(v.nullable(OutsideUrl), null),
  providers: v.optional(v.record(v.string(), Provider), {}),
  whatsappChannelId: v.optional(v.nullable(v.string()), null),
  /** Whether a WhatsApp alert starts only after a YES. */
  alertsNeedYes: v.optional(v.boolean(), true),
  emailAlerts: v.optional(v.boolean(), false),
  ntfyAlerts: v.optional(v.boolean(), false),
  searchAlerts: v.optional(v.boolean(), false),
  /** The key for web push subscriptions; null if the site does not offer web push. */
  webPushKey: v.optional(v.nullable(v.string()), null),
  priceAnalysisUrl: v.optional(v.nullable(TrustedUrl), null),
  visitsEndpoint: v.optional(v.nullable(PageUrl), null),
  vitalsEndpoint: v.optional(v.nullable(PageUrl), null),
  cheapestDates: v.optional(v.boolean(), false),
  priceHistory: v.optional(v.boolean(), false),
  priceCalendar: v.optional(v.boolean(), false),
  /** The parties that packages are sold to; empty: only two adults. */
  parties: v.optional(v.array(PartySchema), []),
  /** Whether the server accepts further filters and counts their options. */
  facets: v.optional(v.boolean(), false),
  /** Raster tiles for the map; null: the site's own coasts. */
  mapTiles: v.optional(v.nullable(v.object({ url: OutsideUrl, attribution: v.string() })), null),
  explore: v.optional(v.boolean(), false),
  hotelPages: v.optional(v.boolean(), false),
  sampleInventory: v.optional(v.boolean(), false),
});

export type PageConfig = v.InferOutput<typeof PageConfigSchema>;

export type ProviderDetails = PageConfig['providers'][string];

/** An invalid value in one of these is an error, because the page would use the wrong server. */
const REQUIRED_VALID = [
  'searchEndpoint',
  'searchApiKey',
  'conversationEndpoint',
  'locationsUrl',
  'departureAirportsUrl',
];

/**
 * Reads parsed JSON as the configuration. Throws an Error that names an invalid field of `REQUIRED_VALID`.
 * Ignores any other invalid value with a warning, and keeps all other values.
 */
export function parsePageConfig(raw: unknown): PageConfig {
  if (!isRecord(raw)) throw new Error('config.json must contain an object');
  const kept = structuredClone(raw);
  for (;;) {
    const result = v.safeParse(PageConfigSchema, kept);
    if (result.success) return result.output;
    const [issue] = result.issues;
    const words = `config.json: ${v.getDotPath(issue) ?? ''} is invalid: ${issue.message}`;
    const path = issue.path ?? [];
    // An object without a required field is ignored as a whole.
    const wrong = path.filter(({ value }) => value !== undefined).at(-1);
    if (wrong === undefined || REQUIRED_VALID.includes(String(path[0]?.key))) throw new Error(words);
    console.warn(`${words}. It is ignored.`);
    Reflect.deleteProperty(wrong.input as object, wrong.key as PropertyKey);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The defaults, used until the configuration is loaded. */
export const DEFAULT_PAGE_CONFIG: PageConfig = parsePageConfig({});
