import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { InventoryStatus } from '../lib/server-status.ts';
import { VERSION } from '../lib/version.ts';

/** A registry with metrics of the process: CPU, memory, garbage collection, event loop lag. */
export function processRegistry(inventory: Readonly<InventoryStatus>): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'skylark_build_info',
    help: 'Always 1; the label has the version',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  new Gauge({
    name: 'skylark_inventory_loading',
    help: '1 while an inventory is being loaded',
    registers: [registry],
    collect() {
      this.set(inventory.loading ? 1 : 0);
    },
  });
  return registry;
}
