import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { errorMessage } from '../../lib/error-message.ts';
import { memoize } from '../../lib/memoize.ts';
import { isListableHost, parsePlainLink } from '../formats/feed-link.ts';
import { textTrouble } from '../formats/feed-text.ts';
import { parseDocument } from '../formats/mapped/mapping.ts';
import { feedBlock, isTimeZone } from './feed-block.ts';

/** Where to ask a provider for a price (docs/contracts/price-check.md). */
export type PriceCheck = v.InferOutput<typeof priceCheck>;

export interface ProvidersFile {
  /** Whether the file exists. Without it, nothing is known about providers. */
  exists: boolean;
  /** The folder that paths in the file start from. */
  folder: string;
  providers: readonly HolidayProvider[];
  airports: readonly ExtraAirport[];
}

export type ParsedProviders =
  | { kind: 'providers'; file: ProvidersFile }
  | { kind: 'refused'; message: string };

const label = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => textTrouble(text, 60) === null, 'a name of at most 60 plain characters'),
);

const hosts = v.array(
  v.pipe(v.string(), v.check(isListableHost, 'a host such as www.sunward.example or *.sunward.example')),
);

const priceCheck = v.strictObject({
  url: v.pipe(v.string(), v.check(isAtNamedHost, 'an https URL with a host name')),
  perMinute: v.optional(
    v.pipe(v.number(), v.integer('a whole number'), v.minValue(1, '1 to 600'), v.maxValue(600, '1 to 600')),
    60,
  ),
  /** A file with a bearer token. */
  secretFile: v.optional(v.string()),
});

const provider = v.strictObject({
  code: v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,10}$/, '2 to 10 capital letters or digits')),
  name: label,
  /** The hosts of its deep links; `*.name` is every subdomain of a name. */
  linkHosts: v.pipe(hosts, v.minLength(1, 'at least one host')),
  /** The hosts among `linkHosts` whose http links become https. */
  upgradeHosts: v.optional(hosts, []),
  /** The hosts of its hotels' photos. Without any, no photos are shown. */
  photoHosts: v.optional(hosts, []),
  /** Makes the link of a package without one (`server/inventory/deep-link.ts`). */
  linkTemplate: v.nullish(
    v.pipe(v.string(), v.check(isTemplate, 'an https URL with {hotel} and the like')),
    null,
  ),
  /** `shared`: its hotel codes mean the same as every other `shared` provider's. */
  hotelCodes: v.optional(v.picklist(['own', 'shared'], 'own or shared'), 'own'),
  /** Its prices include all charges at the resort, unless the feed states one. */
  pricesIncludeLocalCharges: v.optional(v.boolean(), false),
  logoUrl: v.nullish(
    v.pipe(v.string(), v.check(isPicture, 'an https URL, or a path such as /logos/sunward.svg')),
    null,
  ),
  atol: v.nullish(v.pipe(v.string(), v.regex(/^T?\d{4,5}$/, 'a number of four or five digits')), null),
  /** Null: its feeds are imported by hand. */
  feed: v.nullish(feedBlock, null),
  /** Null: it cannot be asked for a package's current price. */
  priceCheck: v.nullish(priceCheck, null),
});

/** A provider in `providers.json`, for feeds and for the page. */
export type HolidayProvider = v.InferOutput<typeof provider>;

const airport = v.strictObject({
  code: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'three capital letters')),
  name: label,
  timezone: v.pipe(v.string(), v.check(isTimeZone, 'an IANA time zone such as Europe/Madrid')),
});

/** An arrival airport that Skylark's own list lacks. */
export type ExtraAirport = v.InferOutput<typeof airport>;

const file = v.pipe(
  v.strictObject({
    providers: v.optional(v.array(provider), []),
    airports: v.optional(v.array(airport), []),
  }),
  v.check(
    ({ providers }) => new Set(providers.map(({ code }) => code)).size === providers.length,
    'a list in which each code appears once',
  ),
);

/** Reads the list of providers, empty without a file. */
export function readProviders(path: string): ParsedProviders {
  if (!existsSync(path))
    return { kind: 'providers', file: { exists: false, folder: dirname(path), providers: [], airports: [] } };
  try {
    return parsedFile(JSON.stringify([path, readFileSync(path, 'utf8').replace(/^\uFEFF/, '')]));
  } catch (error) {
    return { kind: 'refused', message: `${path} cannot be read as JSON: ${errorMessage(error)}.` };
  }
}

/** The schedule reads the file every few seconds, and it rarely changes. */
const parsedFile = memoize(1, (file: string): ParsedProviders => {
  const [path = '', text = ''] = JSON.parse(file) as string[];
  return parseProviders(JSON.parse(text), path);
});

/** Validates a list of providers; `path` is named in error messages. */
export function parseProviders(json: unknown, path: string): ParsedProviders {
  const parsed = parseDocument(file, json, path);
  if (parsed.kind === 'refused') return parsed;
  return { kind: 'providers', file: { exists: true, folder: dirname(path), ...parsed.output } };
}

/** Whether a template makes links that a feed could contain. The host must have no placeholder. */
function isTemplate(url: string): boolean {
  return /^[^{]*\/\/[^/{]+\//.test(url) && parsePlainLink(url.replace(/\{\w+\}/g, 'x')).kind === 'link';
}

/** Whether a URL has a host name: an IP address would not be looked up, and so not checked. */
function isAtNamedHost(url: string): boolean {
  const link = parsePlainLink(url);
  return link.kind === 'link' && isListableHost(link.hostname);
}

function isPicture(url: string): boolean {
  return /^\/(?!\/)[^\s\\]*$/.test(url) || URL.parse(url)?.protocol === 'https:';
}
