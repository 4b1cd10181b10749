import type { SqlDatabase } from '../storage/sql-database.ts';
import { attemptedProviders, attemptsOf } from './attempts/attempt-table.ts';
import { feedArchive } from './attempts/feed-archive.ts';
import type { ProvidersFile } from './map/holiday-providers.ts';
import { type FeedWork, nextWork } from './next-work.ts';
import { readLastImports } from './write/store-notes.ts';

/** Attempts that decide what comes next. */
const READ_ATTEMPTS = 200;

export interface WorkSources {
  providers: ProvidersFile;
  dataDir: string;
  now: number;
}

/** What is planned for each provider of the file, the attempts and the store; the earliest first. */
export function plannedWork(
  database: SqlDatabase,
  { providers, dataDir, now }: WorkSources,
): { code: string; work: FeedWork }[] {
  if (!providers.exists) return [];
  const imports = new Map(
    readLastImports(database).map(({ provider, last }) => [provider, Date.parse(last.at)]),
  );
  const listed = providers.providers.map(({ code }) => code);
  const codes = new Set([...listed, ...imports.keys(), ...attemptedProviders(database)]);
  return [...codes]
    .flatMap((code) => {
      const work = nextWork({
        provider: providers.providers.find((one) => one.code === code) ?? null,
        attempts: attemptsOf(database, code, READ_ATTEMPTS),
        importedAt: imports.get(code) ?? null,
        hasFeed: feedArchive(dataDir, code).has,
        now,
      });
      return work === null ? [] : [{ code, work }];
    })
    .toSorted((one, other) => one.work.at - other.work.at);
}
