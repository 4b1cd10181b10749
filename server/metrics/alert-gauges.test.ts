import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { QUIET_METRICS } from '../../tests/fixtures/alerts/quiet-metrics.ts';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import type { AlertMetrics } from '../alerts/status/alert-metrics.ts';
import { registerAlertGauges } from './alert-gauges.ts';

function metricsOf(people: number): AlertMetrics {
  return {
    ...QUIET_METRICS,
    people,
    watches: { active: people },
    channels: [
      {
        channel: 'email',
        messages: { queued: people },
        sending: { isPaused: true, until: null, reason: 'account' },
      },
    ],
  };
}

/** The value of a gauge with these labels; undefined if the text does not have it. */
function figureOf(text: string, gauge: string): string | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`skylark_${gauge} `));
  return line?.split(' ')[1];
}

it('reads the alerts at each scrape', async () => {
  const registry = new Registry();
  let people = 1;
  registerAlertGauges(registry, { readMetrics: async () => metricsOf(people) }, virtualClock());
  for (; people <= 3; people += 1) {
    const text = await registry.metrics();
    expect(figureOf(text, 'alerts_up')).toBe('1');
    for (const gauge of [
      'alert_people',
      'alert_watches{state="active"}',
      'alert_channel_messages{channel="email",state="queued"}',
    ]) {
      expect(figureOf(text, gauge)).toBe(String(people));
    }
    expect(figureOf(text, 'alert_sending_paused')).toBe('0');
    expect(figureOf(text, 'alert_channel_paused{channel="email"}')).toBe('1');
  }
});

it('reports within a second that the alerts do not respond, and leaves only one request pending', async () => {
  const clock = virtualClock();
  const registry = new Registry();
  const open: PromiseWithResolvers<AlertMetrics>[] = [];
  const readMetrics = () => {
    const question = Promise.withResolvers<AlertMetrics>();
    open.push(question);
    return question.promise;
  };
  registerAlertGauges(registry, { readMetrics }, clock);
  const scrape = async () => {
    const scraped = registry.metrics();
    await clock.advance(1_000);
    return await scraped;
  };

  const before = registry.metrics();
  open[0]?.resolve(metricsOf(5));
  expect(figureOf(await before, 'alert_people')).toBe('5');

  for (let second = 0; second < 60; second += 1) {
    const text = await scrape();
    expect(figureOf(text, 'alerts_up')).toBe('0');
    expect(figureOf(text, 'alert_people')).toBe('Nan');
    expect(figureOf(text, 'alert_watches{state="active"}')).toBeUndefined();
  }
  expect(open).toHaveLength(2);

  open[1]?.resolve(metricsOf(6));
  await new Promise(setImmediate);
  const after = registry.metrics();
  expect(open).toHaveLength(3);
  open[2]?.resolve(metricsOf(7));
  expect(figureOf(await after, 'alert_people')).toBe('7');
});
