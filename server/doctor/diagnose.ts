import { readSettings } from '../settings.ts';
import { checkChannels } from './check-channels.ts';
import { checkCharges } from './check-charges.ts';
import { checkDataDir } from './check-data-dir.ts';
import { checkListenAddress } from './check-listen-address.ts';
import { checkMachine } from './check-machine.ts';
import { checkProvider } from './check-provider.ts';
import { checkSharedKeys } from './check-shared-keys.ts';
import { checkNotices, checkSite } from './check-site.ts';
import { checkSources } from './check-sources.ts';
import { checkStore } from './check-store.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

const SETTINGS_PAGE = 'docs/configuration.md lists every variable.';

/** Checks everything that Skylark needs to start and run. Changes nothing. */
export async function diagnose(environment: DoctorEnvironment): Promise<Finding[]> {
  const read = readSettings(environment.variables);
  if (read.kind === 'refused') return [bad(read.message, SETTINGS_PAGE)];
  const { config, alerts, feeds, notices, warnings } = read.settings;
  // With PostgreSQL, imports keep temporary files in the data folder.
  const usesFolder = config.store.kind === 'embedded' || feeds.providers.providers.length > 0;
  const { exists, providers } = feeds.providers;
  const sources = {
    now: environment.now,
    providers: exists ? providers : null,
    feedLateMs: notices.feedLateMs,
  };
  return [
    ok('The settings are valid.'),
    ...warnings.map((sentence) => warn(sentence, SETTINGS_PAGE)),
    ...checkMachine(environment, config),
    ...(usesFolder ? checkDataDir(environment, feeds.dataDir) : []),
    ...checkSite(config, alerts.email),
    ...checkNotices(config, notices),
    ...(await checkSources(environment, feeds.providers)),
    ...checkCharges(feeds.charges, environment.now),
    ...checkSharedKeys(config, alerts),
    ...(await checkStore(sources, config, alerts)),
    ...(await checkListenAddress(environment, config)),
    ...(await checkProvider(environment, config, alerts)),
    ...(await checkChannels(environment, config, alerts)),
  ];
}

/** Writes the findings as lines. The worst comes last, just above the prompt. */
export function describeFindings(findings: readonly Finding[]): string {
  const order = { ok: 0, warn: 1, bad: 2 };
  return findings
    .toSorted((one, other) => order[one.level] - order[other.level])
    .map(
      ({ level, summary, remedy }) =>
        `${level.padEnd(5)} ${summary}${remedy === null ? '' : `\n      ${remedy}`}`,
    )
    .join('\n');
}
