import { SingleBar } from 'cli-progress';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import { loadSample } from '../../server/sample/load-sample.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';

/**
 * Creates a store with at least `packages` of the sample's 9.9 million packages. Nearest departures come
 * first, so that all stores are equally dense per day. An existing store is only updated to today.
 */
export async function makeSampleStore(dataDir: string, packages: number): Promise<void> {
  const writer = await openInventoryWriter(embeddedStore(dataDir), { recordsPrices: false });
  let made = Number((await writer.readNote(MADE)) ?? 0);
  const bar = new SingleBar({ format: `Sample for the benchmark {bar} {value} of {total} packages` });
  const now = Date.now();
  let offers = made;
  if (made < packages) bar.start(packages, made);
  await loadSample({
    writer,
    seed: 1,
    today: todayInLondon(now),
    now: Math.floor(now / 60_000),
    canRemoveDeparted: true,
    onProgress: (progress) => {
      // The store had another version of the sample, so loading started again.
      if (progress.day === 0) made = 0;
      offers = made + progress.offers;
      bar.update(Math.min(offers, packages));
    },
    stopped: () => offers >= packages,
  });
  await writer.writeNote(MADE, String(offers));
  await writer.close();
  bar.stop();
}

const MADE = 'bench.packages';
