import * as v from 'valibot';
import type { Collapse } from './package-search/package-repository.ts';
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
  /** Signs page tokens; null: a key made in the data folder. */
  tokenKey: string | null;
  mode: 'production' | 'development' | 'test';
}

export type ParsedConfig = { kind: 'config'; config: Config } | { kind: 'refused'; message: string };

const PORT = 'a whole number from 0 to 65535';
const WHOLE = 'a whole number from 0 to 4294967295';
const TEXT = 'some text';
const ADDRESS = 'an http or https address';
const KEY = '16 characters or more';

const wholeNumber = (most: number, takes: string) =>
  v.pipe(v.string(), v.regex(/^\d{1,10}$/, takes), v.transform(Number), v.maxValue(most, takes));

const text = (fallback: string) => v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty(TEXT)), fallback);

const oneOf = <const T extends string>(...choices: [T, ...T[]]) =>
  v.optional(v.picklist(choices, choices.join(' or ')), choices[0]);

const environment = v.object({
  PORT: v.optional(wholeNumber(65_535, PORT), '3000'),
  HOST: text('127.0.0.1'),
  DATA_DIR: text('./data'),
  SEARCH_COLLAPSE: oneOf('hotel', 'none'),
  SAMPLE_INVENTORY: oneOf('on', 'off'),
  SAMPLE_SEED: v.optional(wholeNumber(2 ** 32 - 1, WHOLE), '1'),
  // Every visitor's browser sends it, so it is no secret: it tells our page from a stray client.
  SEARCH_API_KEY: text('skylark-public'),
  BRAND_CODE: text('SKY'),
  BRAND_NAME: text('Skylark'),
  PROVIDER_NAME: text('Skylark'),
  PROVIDER_URL: v.optional(
    v.pipe(
      v.string(),
      v.check((address) => isWebAddress(address), ADDRESS),
    ),
    'https://www.skylark.example/',
  ),
  PRICE_ANALYSIS_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (address) => isWidgetAddress(address),
        'none, a path such as /widget/price-analysis.js, or an https address',
      ),
    ),
    '/widget/price-analysis.js',
  ),
  TOKEN_KEY: v.optional(v.pipe(v.string(), v.minLength(16, KEY))),
  NODE_ENV: oneOf('development', 'production', 'test'),
});

/** Reads the settings; an empty variable counts as none. A wrong one is refused by name. */
export function parseConfig(variables: Readonly<Record<string, string | undefined>>): ParsedConfig {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const parsed = v.safeParse(environment, given, { abortEarly: true });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const name = v.getDotPath(issue) ?? 'The environment';
    // A key is a secret: the sentence must not carry it into a log.
    const got = name === 'TOKEN_KEY' ? 'a shorter text' : `"${given[name]}"`;
    return { kind: 'refused', message: `${name} is ${got}, and takes ${issue.message}.` };
  }
  const settings = parsed.output;
  return {
    kind: 'config',
    config: {
      port: settings.PORT,
      host: settings.HOST,
      store: embeddedStore(settings.DATA_DIR),
      collapse: settings.SEARCH_COLLAPSE,
      sampleInventory: settings.SAMPLE_INVENTORY === 'on',
      sampleSeed: settings.SAMPLE_SEED,
      searchApiKey: settings.SEARCH_API_KEY,
      brandCode: settings.BRAND_CODE,
      brandName: settings.BRAND_NAME,
      providerName: settings.PROVIDER_NAME,
      providerUrl: settings.PROVIDER_URL,
      priceAnalysisUrl: settings.PRICE_ANALYSIS_URL === 'none' ? null : settings.PRICE_ANALYSIS_URL,
      tokenKey: settings.TOKEN_KEY ?? null,
      mode: settings.NODE_ENV,
    },
  };
}

function isWidgetAddress(address: string): boolean {
  return address === 'none' || /^\/[^/]/.test(address) || URL.parse(address)?.protocol === 'https:';
}

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '');
}
