import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAirports } from '../../domain/airport.ts';
import { parseDestinations } from '../../domain/destination.ts';
import { databasePath } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { World } from './environment.ts';
import { bad, type Finding, ok } from './finding.ts';

/** The release that `package.json` installs. */
const NODE_MAJOR = 24;

const AN_HOUR = 3_600_000;

/** This version of Skylark is not older: a clock before it is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** The runtime, the clock, and what is shipped or built beside the server. */
export function lookAtMachine(world: World, store: StoreAddress): Finding[] {
  return [lookAtNode(world), lookAtClock(world, store), lookAtPage(world), ...lookAtLists(world)];
}

function lookAtNode({ nodeVersion }: World): Finding {
  if (Number(nodeVersion.split('.')[0]) === NODE_MAJOR) return ok(`Node is ${nodeVersion}.`);
  return bad(
    `Node is ${nodeVersion}, and Skylark needs ${NODE_MAJOR}.`,
    'Start it by npm (npm start, npm run …), which takes the Node that npm ci installed.',
  );
}

function lookAtClock({ now }: World, store: StoreAddress): Finding {
  const file = store.kind === 'embedded' ? databasePath(store.dataDir) : null;
  const written = file === null ? 0 : (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const clock = new Date(now).toISOString();
  if (now >= EARLIEST && written <= now + AN_HOUR) return ok(`The clock says ${clock}.`);
  return bad(
    `The clock says ${clock}, which is ${now < EARLIEST ? 'long past' : 'before the store was last written'}.`,
    "Set the machine's clock: today decides which departures are on sale.",
  );
}

function lookAtPage({ folders }: World): Finding {
  if (existsSync(join(folders.page, 'index.html'))) return ok('The page is built.');
  return bad('The page has not been built.', 'Run npm run build, or start by npm start, which builds it.');
}

function lookAtLists({ folders }: World): Finding[] {
  return [
    lookAtList(folders.lists, 'locations.csv', 'destinations', (text) => parseDestinations(text).length),
    lookAtList(
      folders.lists,
      'departure-airports.csv',
      'departure airports',
      (text) => parseAirports(text).filter(({ isRegion }) => !isRegion).length,
    ),
  ];
}

function lookAtList(folder: string, name: string, things: string, count: (text: string) => number): Finding {
  const path = join(folder, name);
  const todo = `Mend ${path}: docs/contracts/lists.md says what stands in it.`;
  try {
    const found = count(readFileSync(path, 'utf8'));
    return found > 0 ? ok(`${name} has ${found} ${things}.`) : bad(`${name} has no ${things}.`, todo);
  } catch (error) {
    return bad(`${name} cannot be read: ${String(error)}.`, todo);
  }
}
