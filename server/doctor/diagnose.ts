import { readSettings } from '../settings.ts';
import { lookAtDataFolder } from './check-data-dir.ts';
import { lookAtDoor } from './check-listen-address.ts';
import { lookAtMachine } from './check-machine.ts';
import { lookAtProvider } from './check-provider.ts';
import { lookAtSharedKeys } from './check-shared-keys.ts';
import { lookAtStore } from './check-store.ts';
import type { World } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

const SETTINGS_PAGE = 'docs/configuration.md has every variable.';

/** Looks at everything that a start and a day of Skylark need, and changes nothing. */
export async function diagnose(world: World): Promise<Finding[]> {
  const read = readSettings(world.variables);
  if (read.kind === 'refused') return [bad(read.message, SETTINGS_PAGE)];
  const { config, alerts, feeds, warnings } = read.settings;
  // With a PostgreSQL, the folder holds what imports are working on.
  const usesFolder = config.store.kind === 'embedded' || feeds.providers.providers.length > 0;
  return [
    ok('The settings are sound.'),
    ...warnings.map((sentence) => warn(sentence, SETTINGS_PAGE)),
    ...lookAtMachine(world, config.store),
    ...(usesFolder ? lookAtDataFolder(world, feeds.dataDir) : []),
    ...lookAtSharedKeys(config, alerts),
    ...lookAtStore(world, config, alerts),
    ...(await lookAtDoor(world, config)),
    ...(await lookAtProvider(world, config, alerts)),
  ];
}

/** The findings in lines, the worst last, where a reader of a terminal looks first. */
export function describeFindings(findings: readonly Finding[]): string {
  const order = { ok: 0, warn: 1, bad: 2 };
  return findings
    .toSorted((one, other) => order[one.level] - order[other.level])
    .map(({ level, what, todo }) => `${level.padEnd(5)} ${what}${todo === null ? '' : `\n      ${todo}`}`)
    .join('\n');
}
