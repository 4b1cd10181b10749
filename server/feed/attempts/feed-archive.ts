import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Attempt, isOfChanges, isSuccessful } from './attempt-table.ts';

/** How many good feeds are stored: the current one, and those to roll back to. */
const KEPT_GOOD = 3;

export type FeedArchive = ReturnType<typeof feedArchive>;

/** A provider's stored feeds, by attempt, in the data folder of the machine that fetched them. */
export function feedArchive(dataDir: string, provider: string) {
  const folder = join(dataDir, 'feeds', provider);
  const feed = (id: number) => join(folder, `${id}.feed`);
  const has = (id: number) => existsSync(feed(id));
  const mapping = (id: number) => join(folder, `${id}.mapping.json`);
  return {
    /** Where an attempt's feed is stored. Makes the folder. */
    pathOf(id: number): string {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return feed(id);
    },
    has,
    /** Where the lines of an attempt's feed are noted. */
    linesOf: (id: number) => join(folder, `${id}.lines`),
    /** Stores the text of the mapping that an attempt used. */
    keepMapping: (id: number, text: string) => writeFileSync(mapping(id), text, { mode: 0o600 }),
    /** Null: the feed was read without a mapping. */
    mappingOf: (id: number) => (existsSync(mapping(id)) ? readFileSync(mapping(id), 'utf8') : null),
    /** Deletes all feeds except the held one, the latest good ones and the one being imported. */
    prune(attempts: readonly Attempt[]): void {
      if (!existsSync(folder)) return;
      const noted = attempts.find((one) => isSuccessful(one) && one.detail.difference !== undefined);
      const kept = [
        ...attempts.filter(({ outcome }) => outcome === 'running'),
        ...attempts.filter(({ outcome }) => outcome === 'held').slice(0, 1),
        // Its quarantined prices may be accepted, also if it has only changes.
        ...(noted === undefined ? [] : [noted]),
        ...successfulFeeds(attempts, has).slice(0, KEPT_GOOD),
      ].map(({ id }) => String(id));
      const isKept = (id: string, ending: string | undefined) =>
        kept.includes(id) && (ending !== 'lines' || Number(id) >= (noted?.id ?? 0));
      for (const name of readdirSync(folder)) {
        const [id = '', ending] = name.split('.');
        if (!isKept(id, ending)) rmSync(join(folder, name), { force: true });
      }
    },
  };
}

/** The latest good attempts with a stored feed, one for each feed, without those that fetched only changes. */
export function successfulFeeds(attempts: readonly Attempt[], has: (id: number) => boolean): Attempt[] {
  const seen = new Set<string | undefined>();
  return attempts.filter((one) => {
    if (!isSuccessful(one) || isOfChanges(one) || !has(one.id) || seen.has(one.detail.checksum)) return false;
    seen.add(one.detail.checksum);
    return true;
  });
}
