import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAirports } from '../../../domain/airport.ts';
import { parseDestinations } from '../../../domain/destination.ts';
import { errorMessage } from '../../lib/error-message.ts';
import { checkClock } from '../../storage/clock-guard.ts';
import { databasePath } from '../../storage/open/database.ts';
import { type Condition, HOUR_MS } from '../condition.ts';
import type { DoctorStoreView, DoctorView } from './doctor-view.ts';

/** The major version that `package.json` installs. */
const NODE_MAJOR = '24';

/** This version was released after this day, so a clock that shows an earlier one is wrong. */
const RELEASED_AFTER = Date.UTC(2026, 0, 1);

export const NODE_WRONG: Condition<DoctorView> = {
  id: 'node',
  level: 'bad',
  sentence: `Node is $, but Skylark needs ${NODE_MAJOR}`,
  remedy: 'Start Skylark with npm (npm start, npm run …), which uses the Node that npm ci installed.',
  read: ({ nodeVersion }) =>
    nodeVersion.split('.')[0] === NODE_MAJOR ? `Node is ${nodeVersion}.` : { subject: nodeVersion },
};

export const CLOCK_WRONG: Condition<DoctorView> = {
  id: 'clock',
  level: 'bad',
  sentence: 'The clock says $',
  remedy: "Set the machine's clock. It decides which departures are on sale.",
  read({ now, config: { store } }) {
    const file = store.kind === 'embedded' ? databasePath(store.dataDir) : null;
    const written = file === null ? 0 : (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    const subject = new Date(now).toISOString();
    if (now < RELEASED_AFTER) return { subject, detail: 'that is in the past' };
    if (written > now + HOUR_MS) return { subject, detail: 'the store was last written after that' };
    return `The clock says ${subject}.`;
  },
};

export const CLOCKS_DIFFER: Condition<DoctorStoreView> = {
  id: 'clocks',
  level: 'warn',
  sentence: 'The clock of this machine has jumped, or differs from that of other servers',
  remedy: 'Check the clock. If it is right, clean-up resumes after a server has run for an hour.',
  async read({ database, now }) {
    const verdict = await checkClock(database, now);
    const [here, there] = [now, verdict.kind === 'right' ? now : verdict.last].map((at) =>
      new Date(at).toISOString(),
    );
    return (
      verdict.kind !== 'right' && {
        detail: `it says ${here}, but servers of this store last reported ${there}`,
      }
    );
  },
};

const LISTS = [
  { list: 'locations', name: 'locations.csv', parse: parseDestinations },
  {
    list: 'airports',
    name: 'departure-airports.csv',
    parse: (text: string) => parseAirports(text).filter(({ isRegion }) => !isRegion),
  },
] as const;

export const LIST_INVALID: Condition<DoctorView> = {
  id: 'list',
  level: 'bad',
  sentence: '$ has no entries',
  remedy: 'Fix the list. docs/contracts/lists.md describes its format.',
  read: ({ folders, config: { brand } }) =>
    LISTS.map(({ list, name, parse }) => {
      const path = join(brand.lists[list] ?? folders.lists, name);
      try {
        const { length } = parse(readFileSync(path, 'utf8'));
        return length > 0 ? `${name} has ${length} entries.` : { subject: path };
      } catch (error) {
        return { subject: path, sentence: `${name} cannot be read`, detail: errorMessage(error) };
      }
    }),
};
