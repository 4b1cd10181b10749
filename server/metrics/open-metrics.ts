import { collectDefaultMetrics, Registry } from 'prom-client';
import { gauge } from '../conditions/gauge.ts';
import { SERVER_CONDITIONS } from '../conditions/server-conditions.ts';
import type { InventoryStatus } from '../http/health-plugin.ts';
import { VERSION } from '../lib/version.ts';
import { registerGauges } from './register-gauges.ts';

/** A registry with metrics of the process and its disk. `freeBytes` returns null if unknown. */
export function processRegistry(
  inventory: Readonly<InventoryStatus>,
  freeBytes: () => number | null,
): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const build = [[{ version: VERSION }, 1]] as const;
  const gauges = [
    gauge('build_info', 'Always 1; the label has the version', () => build, 'version'),
    gauge('inventory_loading', '1 while an inventory is being loaded', () => Number(inventory.loading)),
    ...SERVER_CONDITIONS.flatMap(({ gauges = [] }) => gauges),
  ];
  registerGauges(registry, gauges, async () => ({ freeBytes: freeBytes() }));
  return registry;
}
