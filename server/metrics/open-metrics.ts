import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { InventoryStatus } from '../http/health-plugin.ts';
import { droppedLogLines } from '../lib/log.ts';
import { VERSION } from '../lib/version.ts';

/**
 * A registry with metrics of the process: CPU, memory, garbage collection, event loop lag, log, disk. `freeBytes`
 * returns the free space on the store's disk; null if unknown.
 */
export function processRegistry(
  inventory: Readonly<InventoryStatus>,
  freeBytes: () => number | null,
): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'skylark_build_info',
    help: 'Always 1; the label has the version',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1);
  new Gauge({
    name: 'skylark_inventory_loading',
    help: '1 while an inventory is being loaded',
    registers,
    collect() {
      this.set(inventory.loading ? 1 : 0);
    },
  });
  new Gauge({
    name: 'skylark_store_disk_free_bytes',
    help: "Free bytes on the disk of the embedded store's data folder",
    registers,
    collect() {
      this.set(freeBytes() ?? Number.NaN);
    },
  });
  new Counter({
    name: 'skylark_log_lines_dropped_total',
    help: 'Log lines dropped because the output was full or not read',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  return registry;
}
