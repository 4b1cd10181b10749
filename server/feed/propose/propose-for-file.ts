import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAirports } from '../../../domain/airport.ts';
import { todayInLondon } from '../../../domain/calendar-date.ts';
import { parseDestinations } from '../../../domain/destination.ts';
import { headOf } from '../source/unpack-feed.ts';
import { type Proposal, proposeMapping } from './propose-mapping.ts';

/** Bytes of a feed from which a mapping is proposed. */
const MAX_SAMPLE = 4 * 1024 ** 2;

/** Proposes a mapping for a feed's file. `lists` has the folders of the lists that visitors choose from. */
export async function proposeForFile(
  path: string,
  lists: { locations: string; airports: string },
  now: number,
): Promise<Proposal> {
  const head = await headOf(path, MAX_SAMPLE + 1);
  return proposeMapping(head.subarray(0, MAX_SAMPLE), {
    isWhole: head.length <= MAX_SAMPLE,
    airports: parseAirports(readFileSync(join(lists.airports, 'departure-airports.csv'), 'utf8')),
    destinations: parseDestinations(readFileSync(join(lists.locations, 'locations.csv'), 'utf8')),
    today: todayInLondon(now),
  });
}
