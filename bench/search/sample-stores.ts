import { SingleBar } from 'cli-progress';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import { loadSample } from '../../server/sample/load-sample.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';

/**
 * Makes a store of the sample with at least so many packages, nearest departures first, or all 9.9 million that it
 * has: so that stores of two sizes are as dense on each day that both have. One that is there already is only
 * brought up to today.
 */
export async function makeSampleStore(dataDir: string, packages: number): Promise<void> {
  const writer = await openInventoryWriter(embeddedStore(dataDir), { firstSightings: false });
  const made = Number((await writer.readNote(MADE)) ?? 0);
  const bar = new SingleBar({ format: `Sample for the benchmark {bar} {value} of {total} packages` });
  const now = Date.now();
  let offers = made;
  if (made < packages) bar.start(packages, made);
  await loadSample({
    writer,
    seed: 1,
    today: todayInLondon(now),
    now: Math.floor(now / 60_000),
    onProgress: (progress) => {
      offers = made + progress.offers;
      bar.update(Math.min(offers, packages));
    },
    stopped: () => offers >= packages,
  });
  await writer.writeNote(MADE, String(Math.max(made, offers)));
  await writer.close();
  bar.stop();
}

/** The note of how many packages were made. */
const MADE = 'bench.packages';
