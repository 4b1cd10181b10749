import * as v from 'valibot';
import type { Variables } from './environment/read-environment.ts';
import { defineSettings, type ReadValue, secretSetting, setting } from './environment/schema.ts';
import {
  HTTP_URL,
  httpUrl,
  isHttpUrl,
  isWidgetUrl,
  listOf,
  oneOf,
  orNull,
  requiredText,
  textOr,
  WIDGET_URL,
  wholeNumber,
} from './environment/values.ts';
import { isAddressOrRange } from './lib/ip-address.ts';
import { type Brand, NO_BRAND, readBrandFolder } from './page/brand-folder.ts';
import type { Operator } from './page/operator.ts';
import { embeddedStore, type StoreAddress } from './storage/store-address.ts';

const KEY = 'at least 16 characters';
const DATABASE = 'a URL with one host, such as postgresql://user:password@host:5432/database';
const PROXIES =
  'IP addresses, ranges such as 10.0.0.0/8, or loopback, separated by commas; no range wider than /7, whose clients could claim any address';

const ADMIN_PATH = '/admin, or /admin and further letters, digits and hyphens';

const EMAIL = /^[^\s@<>"]+@[a-z\d.-]+$/i;
const AN_EMAIL = 'an email address';
const TILES = 'an https URL with {z}, {x} and {y}';
const A_CONTACT = 'mailto: and an email address, or an https URL';

const optionalKey = orNull(v.pipe(v.string(), v.minLength(16, KEY)));

const CONFIG = defineSettings({
  port: setting('PORT', v.optional(wholeNumber(0, 65_535), '3000')),
  host: setting('HOST', textOr('127.0.0.1')),
  stores: {
    dataDir: setting('DATA_DIR', textOr('./data')),
    url: secretSetting('DATABASE_URL', v.optional(v.pipe(v.string(), v.check(isDatabase, DATABASE)))),
    readUrls: secretSetting(
      'DATABASE_READ_URLS',
      listOf(isDatabase, `${DATABASE}, or several separated by commas`),
    ),
  },
  /** Whether a search returns one result per hotel or every package. */
  collapse: setting('SEARCH_COLLAPSE', oneOf('hotel', 'none')),
  sampleInventory: setting(
    'SAMPLE_INVENTORY',
    v.pipe(
      oneOf('on', 'off'),
      v.transform((word) => word === 'on'),
    ),
  ),
  sampleSeed: setting('SAMPLE_SEED', v.optional(wholeNumber(0, 2 ** 32 - 1), '1')),
  // Not secret, because every browser sends it. It distinguishes the page from other clients.
  searchApiKey: setting('SEARCH_API_KEY', textOr('skylark-public')),
  /** Whether assistants can search by MCP. */
  mcp: setting(
    'MCP',
    v.pipe(
      oneOf('on', 'off'),
      v.transform((word) => word === 'on'),
    ),
  ),
  brandCode: setting('BRAND_CODE', textOr('SKY')),
  brandName: setting('BRAND_NAME', textOr('Skylark')),
  providerName: setting('PROVIDER_NAME', textOr('Skylark')),
  /** Null: the footer's provider link leads to the first page. */
  providerUrl: setting('PROVIDER_URL', orNull(v.pipe(v.string(), v.check(isHttpUrl, HTTP_URL)))),
  /** The site's URL for visitors, without a final slash. */
  publicUrl: setting('PUBLIC_URL', orNull(httpUrl)),
  operator: {
    name: setting('OPERATOR_NAME', orNull(requiredText)),
    postalAddress: setting('OPERATOR_ADDRESS', orNull(requiredText)),
    email: setting('CONTACT_EMAIL', orNull(v.pipe(v.string(), v.regex(EMAIL, AN_EMAIL)))),
    securityContact: setting(
      'SECURITY_CONTACT',
      orNull(v.pipe(v.string(), v.check(isSecurityContact, A_CONTACT))),
    ),
    lawfulBasis: setting('LAWFUL_BASIS', textOr('your consent (UK GDPR, article 6(1)(a))')),
  },
  /** The URL of the widget's script: a path, or on another host. Null: no widget. */
  priceAnalysisUrl: setting(
    'PRICE_ANALYSIS_URL',
    v.pipe(
      v.optional(v.pipe(v.string(), v.check(isWidgetUrl, WIDGET_URL)), '/widget/price-analysis.js'),
      v.transform((url) => (url === 'none' ? null : url)),
    ),
  ),
  /** The operator's raster tiles for maps. Null: the site's own coasts. */
  mapTiles: setting('MAP_TILES', orNull(v.pipe(v.string(), v.check(isTileUrl, TILES)))),
  mapAttribution: setting('MAP_ATTRIBUTION', orNull(requiredText)),
  /** A price not seen for this many days gets no verdict, and others are not compared with it. */
  priceStaleAfterDays: setting('PRICE_STALE_AFTER_DAYS', v.optional(wholeNumber(1, 365), '3')),
  brandDir: setting('BRAND_DIR', v.optional(v.string())),
  /** The key that signs page tokens. Null: use a generated key in the data folder. */
  tokenKey: secretSetting('TOKEN_KEY', optionalKey),
  /** The bearer token for `/metrics`. Null: only this machine may read them, and in production no client may. */
  metricsToken: secretSetting('METRICS_TOKEN', optionalKey),
  /** The proxies whose X-Forwarded-For is trusted: addresses, ranges or names. */
  trustedProxies: setting('TRUST_PROXY', listOf(isProxy, PROXIES)),
  /** Requests per minute that a client may send to limited routes; 0 means no limit. */
  requestLimit: setting('REQUEST_LIMIT', v.optional(wholeNumber(0, 1_000_000), '1200')),
  /** The path of the admin page. */
  adminPath: setting(
    'ADMIN_PATH',
    v.optional(v.pipe(v.string(), v.regex(/^\/admin[\w-]*$/, ADMIN_PATH)), '/admin'),
  ),
  /** The only port with the admin page. Null: it is on `port`. */
  adminPort: setting('ADMIN_PORT', orNull(wholeNumber(1, 65_535))),
  /** How long the server continues to serve after `/readyz` has changed to 503. */
  stopDelayMs: setting(
    'STOP_DELAY_SECONDS',
    v.pipe(
      v.optional(wholeNumber(0, 60), '0'),
      v.transform((seconds) => seconds * 1_000),
    ),
  ),
  logLevel: setting('LOG_LEVEL', oneOf('info', 'warn', 'error')),
  mode: setting('NODE_ENV', oneOf('development', 'production', 'test')),
});

/** The server's settings (docs/configuration.md), parsed once from the environment. */
export type Config = Omit<ReadValue<typeof CONFIG>, 'stores' | 'brandDir'> & {
  /** Where the store is. An embedded store's folder also has the generated keys. */
  store: StoreAddress;
  /** What a brand's folder adds: logo, colours, lists and texts. */
  brand: Brand;
};

type ParsedConfig = { kind: 'config'; config: Config } | { kind: 'refused'; message: string };

export const { variables: CONFIG_VARIABLES, secrets: CONFIG_SECRETS } = CONFIG;

const NO_BRAND_READ = { kind: 'brand', brand: NO_BRAND } as const;

/**
 * Reads the settings. An empty variable counts as unset; an invalid one is an error that names it. The
 * brand's folder provides defaults.
 */
export function parseConfig(variables: Variables): ParsedConfig {
  const brand = variables.BRAND_DIR ? readBrandFolder(variables.BRAND_DIR) : NO_BRAND_READ;
  if (brand.kind === 'refused') return brand;
  const set = Object.entries(variables).filter(([, value]) => value);
  const read = CONFIG.read({ ...brand.brand.variables, ...Object.fromEntries(set) });
  if (read.kind === 'refused') return read;
  const { stores, brandDir: _, operator, ...settings } = read.value;
  const { dataDir, url, readUrls } = stores;
  if (url === undefined && readUrls.length > 0) {
    return {
      kind: 'refused',
      message: 'DATABASE_READ_URLS requires DATABASE_URL, the primary of its replicas.',
    };
  }
  const store: StoreAddress =
    url === undefined ? embeddedStore(dataDir) : { kind: 'postgresql', url, readUrls };
  return {
    kind: 'config',
    config: { ...settings, operator: withSecurityContact(operator), store, brand: brand.brand },
  };
}

/** Without a security contact of its own, security.txt names the operator's email address. */
function withSecurityContact(operator: Operator): Operator {
  const { email, securityContact } = operator;
  return { ...operator, securityContact: securityContact ?? (email === null ? null : `mailto:${email}`) };
}

function isTileUrl(url: string): boolean {
  return URL.parse(url)?.protocol === 'https:' && ['{z}', '{x}', '{y}'].every((part) => url.includes(part));
}

function isSecurityContact(text: string): boolean {
  return EMAIL.test(text.replace(/^mailto:/, ''))
    ? text.startsWith('mailto:')
    : URL.parse(text)?.protocol === 'https:';
}

function isDatabase(url: string): boolean {
  const parsed = URL.parse(url);
  // libpq accepts several hosts separated by commas, but our client reads them as one name.
  return parsed !== null && /^postgres(ql)?:$/.test(parsed.protocol) && !parsed.hostname.includes(',');
}

function isProxy(text: string): boolean {
  return /^(loopback|linklocal|uniquelocal)$/.test(text) || (isAddressOrRange(text) && !isTooWide(text));
}

/** Whether a range is wider than the widest private one, fc00::/7, or is IPv4-mapped, which Fastify cannot read. */
function isTooWide(text: string): boolean {
  const [address = '', bits] = text.split('/');
  return bits !== undefined && (Number(bits) < 7 || /^::ffff:/i.test(address));
}
