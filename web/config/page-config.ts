import * as v from 'valibot';
import { BrandColoursSchema } from '../../domain/brand-colours.ts';
import { MAX_OF_A_KIND } from '../../domain/party.ts';
import { OutsideAddress, PageAddress, TrustedAddress } from './page-address.ts';

const Provider = v.object({
  name: v.string(),
  logoUrl: v.optional(v.nullable(TrustedAddress), null),
  atol: v.optional(v.nullable(v.union([v.string(), v.pipe(v.number(), v.transform(String))])), null),
});

const FooterLink = v.object({
  text: v.string(),
  url: v.union([TrustedAddress, v.pipe(v.string(), v.regex(/^mailto:/))]),
});

const people = (least: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(MAX_OF_A_KIND));

const PartySchema = v.object({
  adults: people(1),
  children: v.optional(people(0), 0),
  infants: v.optional(people(0), 0),
});

/**
 * `/config.json`: the operator's settings, which need no rebuild of the page. Addresses may be relative to the page. Every
 * field has a default. The addresses of the service and the lists must be valid; any other invalid value is ignored.
 */
const PageConfigSchema = v.object({
  searchEndpoint: v.optional(PageAddress, '/graphql'),
  searchApiKey: v.optional(v.string(), ''),
  /** '' is the page's origin; null disables price alerts. */
  conversationEndpoint: v.optional(v.nullable(PageAddress), ''),
  locationsUrl: v.optional(PageAddress, '/data/locations.csv'),
  departureAirportsUrl: v.optional(PageAddress, '/data/departure-airports.csv'),
  /** Other names of places in the list. */
  otherNames: v.optional(v.record(v.string(), v.array(v.string())), {}),
  brandName: v.optional(v.string(), 'Skylark'),
  brandCode: v.optional(v.string(), 'SKY'),
  /** Null: the built-in logo. */
  brandLogoUrl: v.optional(v.nullable(TrustedAddress), null),
  brandColours: v.optional(v.nullable(BrandColoursSchema), null),
  /** The brand's text in the footer. */
  footerText: v.optional(v.nullable(v.string()), null),
  /** Privacy, terms and contact. */
  footerLinks: v.optional(v.array(FooterLink), []),
  providerName: v.optional(v.nullable(v.string()), null),
  providerUrl: v.optional(v.nullable(OutsideAddress), null),
  providers: v.optional(v.record(v.string(), Provider), {}),
  whatsappChannelId: v.optional(v.nullable(v.string()), null),
  /** Whether a WhatsApp alert starts only when its number replies YES. */
  alertsNeedYes: v.optional(v.boolean(), true),
  /** Whether the service takes sign-ups by email. */
  emailAlerts: v.optional(v.boolean(), false),
  /** The key that browsers subscribe to alerts with; null: it takes no subscriptions. */
  webPushKey: v.optional(v.nullable(v.string()), null),
  priceAnalysisUrl: v.optional(v.nullable(TrustedAddress), null),
  visitsEndpoint: v.optional(v.nullable(PageAddress), null),
  vitalsEndpoint: v.optional(v.nullable(PageAddress), null),
  cheapestDates: v.optional(v.boolean(), false),
  priceHistory: v.optional(v.boolean(), false),
  priceCalendar: v.optional(v.boolean(), false),
  /** The parties that packages are sold to; empty: only two adults. */
  parties: v.optional(v.array(PartySchema), []),
  /** Whether the search service answers `explore`. */
  explore: v.optional(v.boolean(), false),
  sampleInventory: v.optional(v.boolean(), false),
});

export type PageConfig = v.InferOutput<typeof PageConfigSchema>;

/** A provider's name, and its logo and ATOL number if known. */
export type ProviderDetails = PageConfig['providers'][string];

/** An invalid value in one of these fails the whole configuration: the page would ask the wrong server. */
const ADDRESSES = [
  'searchEndpoint',
  'searchApiKey',
  'conversationEndpoint',
  'locationsUrl',
  'departureAirportsUrl',
];

/**
 * The configuration in a parsed JSON text. Throws an Error that names the first invalid field that the page cannot work
 * without. Any other invalid value is ignored with a console warning, and nothing else with it: an invalid logo costs
 * neither the provider's name nor the other providers.
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
    if (wrong === undefined || ADDRESSES.includes(String(path[0]?.key))) throw new Error(words);
    console.warn(`${words}. It is ignored.`);
    Reflect.deleteProperty(wrong.input as object, wrong.key as PropertyKey);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The defaults, used until the configuration is loaded. */
export const DEFAULT_PAGE_CONFIG: PageConfig = parsePageConfig({});
