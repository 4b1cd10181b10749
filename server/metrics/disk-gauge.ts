import { Gauge, type Registry } from 'prom-client';

/** A gauge of free bytes on the embedded store's disk; NaN if unknown. */
export function registerDiskGauge(registry: Registry, freeBytes: () => number | null): void {
  new Gauge({
    name: 'skylark_store_disk_free_bytes',
    help: "Free bytes on the disk of the embedded store's data folder",
    registers: [registry],
    collect() {
      this.set(freeBytes() ?? Number.NaN);
    },
  });
}
