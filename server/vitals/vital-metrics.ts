import { Histogram, type Registry } from 'prom-client';
import type { MeasuredPage, Measurement } from './vitals-plugin.ts';

/**
 * In seconds. Includes Google's thresholds for good and poor: 2.5 and 4 for LCP, 0.2 and 0.5 for INP, 0.8 and
 * 1.8 for TTFB.
 */
const SECONDS = [0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 1.2, 1.8, 2.5, 3, 4, 6, 10];
const SHIFT = [0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1];

/** Records Web Vitals that browsers have measured. */
export function vitalMetrics(registry: Registry): (page: MeasuredPage, measured: Measurement) => void {
  const seconds = new Histogram({
    name: 'skylark_web_vital_seconds',
    help: 'Web Vitals in seconds, measured in browsers: LCP, INP, FCP, TTFB by page',
    labelNames: ['name', 'page'],
    buckets: SECONDS,
    registers: [registry],
  });
  const shift = new Histogram({
    name: 'skylark_web_vital_layout_shift',
    help: 'Cumulative layout shift (CLS), measured in browsers, by page',
    labelNames: ['page'],
    buckets: SHIFT,
    registers: [registry],
  });
  return (page, { name, value }) => {
    if (name === 'CLS') shift.observe({ page }, value);
    else seconds.observe({ name, page }, value / 1_000);
  };
}
