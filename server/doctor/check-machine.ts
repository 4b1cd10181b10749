import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAirports } from '../../domain/airport.ts';
import { parseDestinations } from '../../domain/destination.ts';
import { databasePath } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok } from './finding.ts';

/** The release that `package.json` installs. */
const NODE_MAJOR = 24;

const AN_HOUR = 3_600_000;

/** This version of Skylark is not older: a clock before it is wrong. */
const RELEASED_AFTER = Date.UTC(2026, 0, 1);

/** The runtime, the clock, and what is shipped or built beside the server. */
export function checkMachine(environment: DoctorEnvironment, store: StoreAddress): Finding[] {
  return [
    checkNodeVersion(environment),
    checkClock(environment, store),
    checkBuiltPage(environment),
    ...checkLists(environment),
  ];
}

function checkNodeVersion({ nodeVersion }: DoctorEnvironment): Finding {
  if (Number(nodeVersion.split('.')[0]) === NODE_MAJOR) return ok(`Node is ${nodeVersion}.`);
  return bad(
    `Node is ${nodeVersion}, and Skylark needs ${NODE_MAJOR}.`,
    'Start it by npm (npm start, npm run …), which takes the Node that npm ci installed.',
  );
}

function checkClock({ now }: DoctorEnvironment, store: StoreAddress): Finding {
  const file = store.kind === 'embedded' ? databasePath(store.dataDir) : null;
  const written = file === null ? 0 : (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const clock = new Date(now).toISOString();
  if (now >= RELEASED_AFTER && written <= now + AN_HOUR) return ok(`The clock says ${clock}.`);
  return bad(
    `The clock says ${clock}, which is ${now < RELEASED_AFTER ? 'long past' : 'before the store was last written'}.`,
    "Set the machine's clock: today decides which departures are on sale.",
  );
}

function checkBuiltPage({ folders }: DoctorEnvironment): Finding {
  if (existsSync(join(folders.page, 'index.html'))) return ok('The page is built.');
  return bad('The page has not been built.', 'Run npm run build, or start by npm start, which builds it.');
}

function checkLists({ folders }: DoctorEnvironment): Finding[] {
  return [
    checkList(folders.lists, 'locations.csv', 'destinations', (text) => parseDestinations(text).length),
    checkList(
      folders.lists,
      'departure-airports.csv',
      'departure airports',
      (text) => parseAirports(text).filter(({ isRegion }) => !isRegion).length,
    ),
  ];
}

function checkList(folder: string, name: string, things: string, count: (text: string) => number): Finding {
  const path = join(folder, name);
  const remedy = `Mend ${path}: docs/contracts/lists.md says what stands in it.`;
  try {
    const found = count(readFileSync(path, 'utf8'));
    return found > 0 ? ok(`${name} has ${found} ${things}.`) : bad(`${name} has no ${things}.`, remedy);
  } catch (error) {
    return bad(`${name} cannot be read: ${String(error)}.`, remedy);
  }
}
