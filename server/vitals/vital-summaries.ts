import { Histogram, type Registry } from 'prom-client';
import type { VitalSummary } from '../conditions/server-view.ts';

/** Summarises the Web Vitals that browsers have reported since this server started. */
export async function vitalSummaries(registry: Registry): Promise<VitalSummary[]> {
  const metric = registry.getSingleMetric('skylark_web_vital_seconds');
  if (!(metric instanceof Histogram)) return [];
  const { values } = await metric.get();
  const buckets = new Map<string, { name: string; page: string; of: { le: number; count: number }[] }>();
  for (const { labels, value, metricName } of values) {
    if (metricName !== 'skylark_web_vital_seconds_bucket') continue;
    const [name, page] = [String(labels.name), String(labels.page)];
    const le = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
    const series = buckets.get(`${name} ${page}`) ?? { name, page, of: [] };
    series.of.push({ le, count: value });
    buckets.set(`${name} ${page}`, series);
  }
  return [...buckets.values()].map(({ name, page, of }) => {
    const measurements = Math.max(0, ...of.map(({ count }) => count));
    const p75 = of.find(({ count }) => count >= measurements * 0.75)?.le ?? Number.POSITIVE_INFINITY;
    return { name, page, measurements, p75 };
  });
}
