import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type ParsedCharges, parseCharges } from '../../domain/charge-table.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import type { Variables } from '../environment/read-environment.ts';
import { defineSettings, setting } from '../environment/schema.ts';
import { listOf, textOr } from '../environment/values.ts';
import { errorMessage } from '../lib/error-message.ts';
import { memoize } from '../lib/memoize.ts';
import { isListableHost } from './formats/feed-link.ts';
import { type ProvidersFile, readProviders } from './map/holiday-providers.ts';

/** The operator's settings for feeds. */
export interface FeedSettings {
  /** The folder of reports, and of feeds during an import. */
  dataDir: string;
  /** The hosts that feeds are fetched from. */
  hosts: readonly string[];
  providers: ProvidersFile;
  /** The charges payable at the resort. */
  charges: ChargeTable;
  /** The operator's own exchange rates, and where `charges rates` fetches newer ones. */
  ratesFile: string | undefined;
  ratesUrl: string | undefined;
}

const ASSETS = join(import.meta.dirname, '../../assets');

const FEED = defineSettings({
  dataDir: setting('DATA_DIR', textOr('./data')),
  hosts: setting(
    'FEED_HOSTS',
    v.pipe(
      listOf(
        (host) => isListableHost(host.toLowerCase()),
        'host names separated by commas, such as feeds.sunward.example',
      ),
      v.transform((hosts) => hosts.map((host) => host.toLowerCase())),
    ),
  ),
  providersFile: setting('PROVIDERS_FILE', v.optional(v.string())),
  chargesFile: setting('LOCAL_CHARGES_FILE', v.optional(v.string(), join(ASSETS, 'local-charges.csv'))),
  ratesFile: setting('EXCHANGE_RATES_FILE', v.optional(v.string())),
  ratesUrl: setting('EXCHANGE_RATES_URL', v.optional(v.pipe(v.string(), v.url('an http or https URL')))),
});

export const { variables: FEED_VARIABLES } = FEED;

/** The least time between two reads of providers.json. */
const READ_EVERY_MS = 10_000;

/** The providers in providers.json. While the file is invalid, those read before. */
export function watchedProviders(settings: FeedSettings): () => ProvidersFile['providers'] {
  let { providers } = settings.providers;
  let readAt = Date.now();
  return () => {
    if (Date.now() - readAt < READ_EVERY_MS) return providers;
    readAt = Date.now();
    const read = readFeedSettings(process.env);
    const latest = read.kind === 'settings' ? read.settings.providers.providers : providers;
    if (!isDeepStrictEqual(latest, providers)) providers = latest;
    return providers;
  };
}

/**
 * Reads the settings of feeds, and the providers of `PROVIDERS_FILE`, or `providers.json` in the data folder.
 */
export function readFeedSettings(
  variables: Variables,
): { kind: 'settings'; settings: FeedSettings } | { kind: 'refused'; message: string } {
  const read = FEED.read(variables);
  if (read.kind === 'refused') return read;
  const { dataDir, hosts, providersFile, chargesFile, ratesFile, ratesUrl } = read.value;
  if (providersFile !== undefined && !existsSync(providersFile)) {
    return {
      kind: 'refused',
      message: `PROVIDERS_FILE must be an existing file (got "${providersFile}"). Set it to the list of providers, or unset it and put providers.json into DATA_DIR.`,
    };
  }
  const providers = readProviders(providersFile ?? join(dataDir, 'providers.json'));
  if (providers.kind === 'refused') return providers;
  const charges = readCharges(chargesFile, ratesFile ?? join(ASSETS, 'exchange-rates.csv'));
  if (charges.kind === 'refused') return charges;
  return {
    kind: 'settings',
    settings: { dataDir, hosts, providers: providers.file, charges: charges.table, ratesFile, ratesUrl },
  };
}

/** The providers that providers.json lists; null if it is missing or invalid. */
export function listedProviders(
  feeds: ReturnType<typeof readFeedSettings>,
): ProvidersFile['providers'] | null {
  if (feeds.kind === 'refused' || !feeds.settings.providers.exists) return null;
  return feeds.settings.providers.providers;
}

/** The schedule reads the tables every few seconds, and they rarely change. */
const parsedCharges = memoize(1, (files: string) =>
  parseCharges(...(JSON.parse(files) as Parameters<typeof parseCharges>)),
);

/** The tables of local charges and of exchange rates. */
function readCharges(rules: string, rates: string): ParsedCharges {
  try {
    const texts = { rules: readFileSync(rules, 'utf8'), rates: readFileSync(rates, 'utf8') };
    return parsedCharges(JSON.stringify([texts, { rules, rates }]));
  } catch (error) {
    return {
      kind: 'refused',
      message: `LOCAL_CHARGES_FILE and EXCHANGE_RATES_FILE must be readable files: ${errorMessage(error)}.`,
    };
  }
}
