import { existsSync } from 'node:fs';
import { checkStoreFile } from '../../backup/check-store-file.ts';
import { checkCitus } from '../../storage/citus/check.ts';
import { databasePath } from '../../storage/open/database.ts';
import type { Condition } from '../condition.ts';
import type { DoctorView } from './doctor-view.ts';

/** The index of the price blocks, as named in the message of SQLite's integrity check. */
const PRICE_INDEX = 'price_block_prices';

export const STORE_UNUSABLE: Condition<DoctorView> = {
  id: 'store unusable',
  level: 'bad',
  sentence: 'The store $ cannot be used',
  remedy: 'Stop the server and restore a backup: {restore <file>}.',
  async read({ config: { store }, servers }) {
    if (servers !== null) {
      const { name, fault, version } = servers.primary;
      if (fault === null) return `PostgreSQL responds: schema ${version}.`;
      return { subject: name, sentence: `$ ${fault.reason}`, remedy: fault.remedy };
    }
    const file = store.kind === 'embedded' ? databasePath(store.dataDir) : '';
    if (!existsSync(file)) {
      const remedy = 'If the server has already run, set DATA_DIR to its folder';
      return { level: 'warn', sentence: 'There is no store yet. The first start creates it', remedy };
    }
    const checked = await checkStoreFile(file);
    if (checked.kind !== 'refused') return `The store is undamaged: schema ${checked.version}.`;
    const rebuild = `Run {prices:rebuild}, which rebuilds this index, then {doctor} again. If it still reports damage, restore a backup.`;
    const isIndex = checked.message.endsWith(PRICE_INDEX);
    return { subject: file, detail: checked.message, ...(isIndex && { remedy: rebuild }) };
  },
};

export const CITUS_FAULT: Condition<DoctorView> = {
  id: 'citus',
  level: 'bad',
  sentence: 'Citus: $',
  remedy: 'See docs/postgresql.md.',
  read: async ({ config: { store }, servers }) =>
    store.kind === 'postgresql' &&
    servers?.primary.fault === null &&
    (await checkCitus(store.url)).map(({ level, summary: sentence, remedy }) =>
      level === 'ok' ? sentence : { level, sentence, ...(remedy && { remedy }) },
    ),
};
