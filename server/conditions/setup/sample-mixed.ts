import { SAMPLE_MARKET_NOTE } from '../../inventory/inventory-notes.ts';
import { readNote } from '../../storage/notes.ts';
import type { Condition } from '../condition.ts';
import type { DoctorStoreView } from './doctor-view.ts';

export const SAMPLE_SHOWN: Condition<DoctorStoreView> = {
  id: 'sample',
  level: 'warn',
  sentence:
    'The store holds the sample inventory, but SAMPLE_INVENTORY is off: invented packages are shown as real ones',
  remedy: 'Set DATA_DIR to a new folder for your feeds, or clear the sample: {sample:clear}.',
  async read({ database, config: { sampleInventory, mode } }) {
    if (!(await readNote(database, SAMPLE_MARKET_NOTE))) return false;
    const sentence = 'The inventory is invented, and this is production';
    const remedy = 'Set SAMPLE_INVENTORY=off and import your feeds.';
    return sampleInventory ? mode === 'production' && { sentence, remedy } : {};
  },
};

export const SAMPLE_MIXED: Condition<DoctorStoreView> = {
  id: 'sample mixed',
  level: 'bad',
  sentence: 'The store holds the feed of $, but SAMPLE_INVENTORY is on: the server will not start',
  remedy: 'Set SAMPLE_INVENTORY=off. Feeds and the sample cannot be mixed.',
  read: ({ states, config: { sampleInventory } }) =>
    states
      .filter(({ last }) => sampleInventory && last !== null)
      .map(({ provider: subject }) => ({ subject })),
};
