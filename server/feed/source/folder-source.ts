import { constants, copyFileSync, globSync, statSync } from 'node:fs';
import { errorMessage } from '../../lib/error-message.ts';
import { FeedFault } from '../formats/raw-row.ts';
import type { BlockFetch, Fetched } from './fetched.ts';

/** Copies the newest file that matches a pattern such as `/srv/feeds/alfa/*.csv.gz`. */
export function copyNewest(pattern: string, { path, known, onRead }: BlockFetch): Fetched {
  try {
    const files = globSync(pattern).map((name) => {
      const { mtimeMs, size } = statSync(name);
      return { name, mtimeMs, size };
    });
    const [newest] = files.toSorted(
      (one, other) => other.mtimeMs - one.mtimeMs || other.name.localeCompare(one.name),
    );
    if (newest === undefined) throw new FeedFault(`There is no file ${pattern}.`);
    const version = `${newest.name} ${newest.mtimeMs} ${newest.size}`;
    if (version === known) return { kind: 'unchanged' };
    copyFileSync(newest.name, path, constants.COPYFILE_FICLONE);
    onRead(newest.size, newest.size);
    return { kind: 'fetched', version, modifiedAt: null };
  } catch (error) {
    if (error instanceof FeedFault) throw error;
    throw new FeedFault(`The feed ${pattern} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}
