import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAirports } from '../../domain/airport.ts';
import { parseDestinations } from '../../domain/destination.ts';
import type { Config } from '../config.ts';
import type { Brand } from '../page/brand-folder.ts';
import { databasePath } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok } from './finding.ts';

/** The major version that `package.json` installs. */
const NODE_MAJOR = 24;

const HOUR_MS = 3_600_000;

/** This version was released after this day, so a clock that shows an earlier one is wrong. */
const RELEASED_AFTER = Date.UTC(2026, 0, 1);

/** Checks the runtime, the clock, the built page and the lists. */
export function checkMachine(environment: DoctorEnvironment, { store, brand }: Config): Finding[] {
  return [
    checkNodeVersion(environment),
    checkClock(environment, store),
    checkBuiltPage(environment),
    ...checkLists(environment, brand),
  ];
}

function checkNodeVersion({ nodeVersion }: DoctorEnvironment): Finding {
  if (Number(nodeVersion.split('.')[0]) === NODE_MAJOR) return ok(`Node is ${nodeVersion}.`);
  return bad(
    `Node is ${nodeVersion}, but Skylark needs ${NODE_MAJOR}.`,
    'Start Skylark with npm (npm start, npm run …), which uses the Node that npm ci installed.',
  );
}

function checkClock({ now }: DoctorEnvironment, store: StoreAddress): Finding {
  const file = store.kind === 'embedded' ? databasePath(store.dataDir) : null;
  const written = file === null ? 0 : (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const clock = new Date(now).toISOString();
  if (now >= RELEASED_AFTER && written <= now + HOUR_MS) return ok(`The clock says ${clock}.`);
  return bad(
    `The clock says ${clock}, which is ${now < RELEASED_AFTER ? 'in the past' : 'before the store was last written'}.`,
    "Set the machine's clock. It decides which departures are on sale.",
  );
}

function checkBuiltPage({ folders }: DoctorEnvironment): Finding {
  if (existsSync(join(folders.page, 'index.html'))) return ok('The page is built.');
  return bad('The page has not been built.', 'Run npm run build, or use npm start, which builds it.');
}

function checkLists({ folders }: DoctorEnvironment, { lists }: Brand): Finding[] {
  return [
    checkList(lists.locations ?? folders.lists, 'locations.csv', 'destinations', parseDestinations),
    checkList(lists.airports ?? folders.lists, 'departure-airports.csv', 'departure airports', (text) =>
      parseAirports(text).filter(({ isRegion }) => !isRegion),
    ),
  ];
}

function checkList(
  folder: string,
  name: string,
  things: string,
  parse: (text: string) => readonly unknown[],
): Finding {
  const path = join(folder, name);
  const remedy = `Fix ${path}. docs/contracts/lists.md describes its format.`;
  try {
    const found = parse(readFileSync(path, 'utf8')).length;
    return found > 0 ? ok(`${name} has ${found} ${things}.`) : bad(`${name} has no ${things}.`, remedy);
  } catch (error) {
    return bad(`${name} cannot be read: ${String(error)}.`, remedy);
  }
}
