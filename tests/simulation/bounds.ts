import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { machine } from './machine.ts';
import { Violation } from './sale-model.ts';
import type { World } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Of 5 providers: 30 reports, and at most 8 feeds each with its mapping. The other files are few. */
const MAX_FILES = 5 * (30 + 2 * 8) + 20;
const MAX_ROWS = 20_000;
const MAX_TIMERS = 400;
const MAX_REQUESTS = 100;
const MAX_CONNECTIONS = 12;
const MAX_HEAP_BYTES = 250e6;
const DAYS_BETWEEN_HEAPS = 10;

/**
 * Returns the daily check that nothing grows without end, but for the price history, which an unsimulated refresh of
 * the models shortens. `connections`: how many the server has open.
 */
export function bounds(world: World, connections: () => number): () => void {
  const { dataDir, providers } = world;
  // The inspector's `collectGarbage` leaves most garbage for later.
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  return () => {
    const files = readdirSync(dataDir, { recursive: true }).length;
    const own = connections();
    if (machine.timers.size > MAX_TIMERS || own > MAX_CONNECTIONS)
      throw new Violation(`There are ${machine.timers.size} timers, and the server has ${own} connections`);
    for (const { code, server } of providers) {
      const requests = server.deliveries.splice(0, Math.max(0, server.deliveries.length - 30)).length;
      if (requests > MAX_REQUESTS) throw new Violation(`${code} got ${requests} requests in a day`);
    }
    if (files > MAX_FILES) throw new Violation(`The data folder has ${files} files`);
    if (Math.round(machine.steady / DAY_MS) % DAYS_BETWEEN_HEAPS === 0) {
      collectGarbage();
      const { heapUsed } = process.memoryUsage();
      if (heapUsed > MAX_HEAP_BYTES) throw new Violation(`The heap has ${heapUsed} bytes`);
    }
    const tables = world.store?.prepare("select name from sqlite_master where type = 'table'").all() ?? [];
    for (const { name } of tables) {
      if (name === 'price_observation') continue;
      const rows = Number(world.store?.prepare(`select count(*) as rows from ${String(name)}`).get()?.rows);
      if (rows > MAX_ROWS) throw new Violation(`The table ${String(name)} has ${rows} rows`);
    }
  };
}
