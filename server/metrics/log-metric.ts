import { Counter, type Registry } from 'prom-client';

/** A counter of log lines that could not be written. */
export function registerLogMetric(registry: Registry, droppedLines: () => number): void {
  new Counter({
    name: 'skylark_log_lines_dropped_total',
    help: 'Log lines dropped because the output was full or not read',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
}
