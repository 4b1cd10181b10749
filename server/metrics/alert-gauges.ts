import type { Registry } from 'prom-client';
import type { AlertMetrics } from '../alerts/status/alert-metrics.ts';
import { type GaugeOf, gauge } from '../conditions/gauge.ts';
import { ALERT_CONDITIONS } from '../conditions/store-conditions.ts';
import type { Clock } from '../lib/clock.ts';
import { inTime } from '../lib/in-time.ts';
import { registerGauges } from './register-gauges.ts';

const by = (label: string, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([name, count]) => [{ [label]: name }, count] as const);

const ALERT_GAUGES: readonly GaugeOf<AlertMetrics>[] = [
  gauge('alert_people', 'People stored: phone numbers, email addresses and browsers', (of) => of.people),
  gauge('alert_messages_due', 'Messages that are due but not yet sent', ({ due }) => due),
  gauge('alert_stops', 'People on the suppression list', ({ stops }) => stops),
  gauge('alert_watches', 'Watches by state', ({ watches }) => by('state', watches), 'state'),
  gauge('alert_messages', 'Messages by state', ({ messages }) => by('state', messages), 'state'),
  gauge(
    'alert_messages_failed',
    "Failed messages by the provider's error code",
    ({ failedByCode }) => by('code', failedByCode),
    'code',
  ),
  gauge(
    'alert_channel_messages',
    'Email and web push messages by state',
    ({ channels }) =>
      channels.flatMap(({ channel, messages }) =>
        by('state', messages).map(([state, count]) => [{ channel, ...state }, count] as const),
      ),
    'channel',
    'state',
  ),
  ...ALERT_CONDITIONS.flatMap(({ gauges = [] }) => gauges),
];

/** Gauges of the alerts. If they do not respond in time, `skylark_alerts_up` is 0, and the others are unknown. */
export function registerAlertGauges(
  registry: Registry,
  alerts: { readMetrics(): Promise<AlertMetrics> },
  clock: Clock,
): void {
  // All gauges of a scrape share one request to the alerts.
  const read = inTime(() => alerts.readMetrics(), clock);
  registerGauges(registry, ALERT_GAUGES, read);
  const up = gauge<{ isUp: boolean }>('alerts_up', '1 if the alerts worker responds', (of) =>
    Number(of.isUp),
  );
  registerGauges(registry, [up], async () => ({ isUp: (await read()) !== null }));
}
