import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Variables } from '../environment/read-environment.ts';
import { defineSettings, setting } from '../environment/schema.ts';
import { listOf, textOr } from '../environment/values.ts';
import { isListableHost } from './formats/feed-link.ts';
import { type ProvidersFile, readProviders } from './map/holiday-providers.ts';

/** The operator's settings for feeds. */
export interface FeedSettings {
  /** The folder of reports, and of feeds during an import. */
  dataDir: string;
  /** The hosts that feeds are fetched from. */
  hosts: readonly string[];
  providers: ProvidersFile;
}

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
});

export const { variables: FEED_VARIABLES } = FEED;

/**
 * Reads the settings of feeds, and the providers of `PROVIDERS_FILE`, or `providers.json` in the data folder.
 */
export function readFeedSettings(
  variables: Variables,
): { kind: 'settings'; settings: FeedSettings } | { kind: 'refused'; message: string } {
  const read = FEED.read(variables);
  if (read.kind === 'refused') return read;
  const { dataDir, hosts, providersFile } = read.value;
  if (providersFile !== undefined && !existsSync(providersFile)) {
    return {
      kind: 'refused',
      message: `PROVIDERS_FILE must be an existing file (got "${providersFile}"). Set it to the list of providers, or unset it and put providers.json into DATA_DIR.`,
    };
  }
  const providers = readProviders(providersFile ?? join(dataDir, 'providers.json'));
  if (providers.kind === 'refused') return providers;
  return { kind: 'settings', settings: { dataDir, hosts, providers: providers.file } };
}
