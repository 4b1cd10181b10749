import { isIP } from 'node:net';
import * as v from 'valibot';
import { namesIn, readBy, someText, type Variables } from './environment/read-environment.ts';
import { isWebAddress, isWidgetAddress, WEB_ADDRESS, WIDGET_ADDRESS } from './environment/web-address.ts';
import type { Collapse } from './package-search/package-repository.ts';
import { type Brand, NO_BRAND, readBrandFolder } from './page/brand-folder.ts';
import { embeddedStore, type StoreAddress } from './storage/store-address.ts';

/** The server's settings: what `docs/configuration.md` lists, parsed once from the environment. */
export interface Config {
  port: number;
  host: string;
  /** Where the store is, and with an embedded one the keys that are made here. */
  store: StoreAddress;
  /** One card a hotel, or every package (ruling 9). */
  collapse: Collapse;
  sampleInventory: boolean;
  sampleSeed: number;
  searchApiKey: string;
  brandCode: string;
  brandName: string;
  providerName: string;
  providerUrl: string;
  /** The price-analysis widget's script, an address of ours or another's; null: no widget. */
  priceAnalysisUrl: string | null;
  /** What a brand's folder adds: logo, colours, lists, words. */
  brand: Brand;
  /** Signs page tokens; null: a key made in the data folder. */
  tokenKey: string | null;
  /** Asked of whoever reads `/metrics`; null: nobody but this machine may. */
  metricsToken: string | null;
  /** The proxies whose word about a visitor's address is taken, by address or name; empty: nobody's. */
  trustedProxies: string[];
  /** Requests a minute that one address may send to what costs something; 0: any number. */
  requestLimit: number;
  /** How long the server goes on after it has said that it is going, in milliseconds. */
  stopDelayMs: number;
  logLevel: 'info' | 'warn' | 'error';
  mode: 'production' | 'development' | 'test';
}

export type ParsedConfig = { kind: 'config'; config: Config } | { kind: 'refused'; message: string };

const PORT = 'a whole number from 0 to 65535';
const WHOLE = 'a whole number from 0 to 4294967295';
const KEY = '16 characters or more';
const DATABASE = 'postgresql://user:password@host:5432/database';
const LIMIT = 'a whole number from 0 to 1000000';
const DELAY = 'a whole number from 0 to 60';
const PROXIES = 'addresses or ranges with commas between, such as 10.0.0.0/8, or loopback';

const wholeNumber = (most: number, takes: string) =>
  v.pipe(v.string(), v.regex(/^\d{1,10}$/, takes), v.transform(Number), v.maxValue(most, takes));

const oneOf = <const T extends string>(...choices: [T, ...T[]]) =>
  v.optional(v.picklist(choices, choices.join(' or ')), choices[0]);

const environment = v.object({
  PORT: v.optional(wholeNumber(65_535, PORT), '3000'),
  HOST: someText('127.0.0.1'),
  DATA_DIR: someText('./data'),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.check(isDatabase, DATABASE))),
  DATABASE_READ_URLS: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(',').map((url) => url.trim())),
      v.check((urls) => urls.every(isDatabase), `${DATABASE}, or several with commas between`),
    ),
  ),
  SEARCH_COLLAPSE: oneOf('hotel', 'none'),
  SAMPLE_INVENTORY: oneOf('on', 'off'),
  SAMPLE_SEED: v.optional(wholeNumber(2 ** 32 - 1, WHOLE), '1'),
  // Every visitor's browser sends it, so it is no secret: it tells our page from a stray client.
  SEARCH_API_KEY: someText('skylark-public'),
  BRAND_CODE: someText('SKY'),
  BRAND_NAME: someText('Skylark'),
  PROVIDER_NAME: someText('Skylark'),
  PROVIDER_URL: v.optional(
    v.pipe(v.string(), v.check(isWebAddress, WEB_ADDRESS)),
    'https://www.skylark.example/',
  ),
  PRICE_ANALYSIS_URL: v.optional(
    v.pipe(v.string(), v.check(isWidgetAddress, WIDGET_ADDRESS)),
    '/widget/price-analysis.js',
  ),
  BRAND_DIR: v.optional(v.string()),
  TOKEN_KEY: v.optional(v.pipe(v.string(), v.minLength(16, KEY))),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, KEY))),
  TRUST_PROXY: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(',').map((proxy) => proxy.trim())),
      v.check((proxies) => proxies.every(isProxy), PROXIES),
    ),
  ),
  REQUEST_LIMIT: v.optional(wholeNumber(1_000_000, LIMIT), '1200'),
  STOP_DELAY_SECONDS: v.optional(wholeNumber(60, DELAY), '0'),
  LOG_LEVEL: oneOf('info', 'warn', 'error'),
  NODE_ENV: oneOf('development', 'production', 'test'),
});

export const CONFIG_VARIABLES: readonly string[] = namesIn(environment);

const NO_BRAND_READ = { kind: 'brand', brand: NO_BRAND } as const;

/**
 * Reads the settings; an empty variable counts as none. A wrong one is refused by name. What the brand's folder says
 * holds where no variable says it.
 */
export function parseConfig(variables: Variables): ParsedConfig {
  const brand = variables.BRAND_DIR ? readBrandFolder(variables.BRAND_DIR) : NO_BRAND_READ;
  if (brand.kind === 'refused') return brand;
  const set = Object.entries(variables).filter(([, value]) => value);
  const read = readBy(environment, { ...brand.brand.variables, ...Object.fromEntries(set) });
  if (read.kind === 'refused') return read;
  const settings = read.value;
  const { DATABASE_URL: url, DATABASE_READ_URLS: readUrls = [] } = settings;
  if (url === undefined && readUrls.length > 0) {
    return {
      kind: 'refused',
      message: 'DATABASE_READ_URLS is set without DATABASE_URL, whose replicas they are.',
    };
  }
  const store: StoreAddress =
    url === undefined ? embeddedStore(settings.DATA_DIR) : { kind: 'postgresql', url, readUrls };
  return {
    kind: 'config',
    config: {
      port: settings.PORT,
      host: settings.HOST,
      store,
      collapse: settings.SEARCH_COLLAPSE,
      sampleInventory: settings.SAMPLE_INVENTORY === 'on',
      sampleSeed: settings.SAMPLE_SEED,
      searchApiKey: settings.SEARCH_API_KEY,
      brandCode: settings.BRAND_CODE,
      brandName: settings.BRAND_NAME,
      providerName: settings.PROVIDER_NAME,
      providerUrl: settings.PROVIDER_URL,
      priceAnalysisUrl: settings.PRICE_ANALYSIS_URL === 'none' ? null : settings.PRICE_ANALYSIS_URL,
      brand: brand.brand,
      tokenKey: settings.TOKEN_KEY ?? null,
      metricsToken: settings.METRICS_TOKEN ?? null,
      trustedProxies: settings.TRUST_PROXY ?? [],
      requestLimit: settings.REQUEST_LIMIT,
      stopDelayMs: settings.STOP_DELAY_SECONDS * 1_000,
      logLevel: settings.LOG_LEVEL,
      mode: settings.NODE_ENV,
    },
  };
}

function isDatabase(url: string): boolean {
  return /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '');
}

function isProxy(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true;
  const version = isIP(address);
  const inRange =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  return version !== 0 && inRange && rest.length === 0;
}
