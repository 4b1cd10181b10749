import { Gauge, type Registry } from 'prom-client';
import type { GaugeOf } from '../conditions/gauge.ts';

/** Reads the gauges at each scrape. If `read` returns null, they are unknown. */
export function registerGauges<Facts>(
  registry: Registry,
  gauges: readonly GaugeOf<Facts>[],
  read: () => Promise<Facts | null>,
): void {
  for (const { name, help, labels, read: valueIn } of gauges) {
    new Gauge({
      name: `skylark_${name}`,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const facts = await read();
        const value = facts === null ? null : valueIn(facts);
        this.reset();
        if (typeof value === 'number') this.set(value);
        else if (value !== null) for (const [by, number] of value) this.set(by, number);
        else if (labels.length === 0) this.set(Number.NaN);
      },
    });
  }
}
