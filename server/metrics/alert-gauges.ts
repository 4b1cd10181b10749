import { Gauge, type Registry } from 'prom-client';
import type { AlertMetrics } from '../alerts/status/alert-metrics.ts';
import type { Clock } from '../lib/clock.ts';
import { inTime } from './in-time.ts';

/** Values of a gauge, with their labels. */
type Labelled = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/**
 * Gauges of the alerts, read at each scrape. If the alerts do not respond in time, `skylark_alerts_up` is 0
 * and the other gauges are unknown.
 */
export function registerAlertGauges(
  registry: Registry,
  alerts: { readMetrics(): Promise<AlertMetrics> },
  clock: Clock,
): void {
  // All gauges of a scrape share one request to the alerts.
  const read = inTime(() => alerts.readMetrics(), clock);
  const registers = [registry];

  function gauge(name: string, help: string, valueIn: (read: AlertMetrics) => number): void {
    labelled(name, help, [], (metrics) => [[{}, valueIn(metrics)]]);
  }

  function labelled(
    name: string,
    help: string,
    labelNames: string[],
    valuesIn: (read: AlertMetrics) => Labelled,
  ): void {
    new Gauge({
      name: `skylark_alert${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        const metrics = await read();
        this.reset();
        for (const [labels, value] of metrics === null ? [] : valuesIn(metrics)) this.set(labels, value);
        if (metrics === null && labelNames.length === 0) this.set(Number.NaN);
      },
    });
  }

  new Gauge({
    name: 'skylark_alerts_up',
    help: '1 if the alerts worker responds',
    registers,
    async collect() {
      this.set((await read()) === null ? 0 : 1);
    },
  });
  gauge('_people', 'People stored: phone numbers, email addresses and browsers', ({ people }) => people);
  gauge('_messages_due', 'Messages that are due but not yet sent', ({ due }) => due);
  gauge('_oldest_due_seconds', 'Age of the oldest due message', (of) => of.oldestDueSeconds);
  gauge('_stops', 'People on the suppression list', ({ stops }) => stops);
  gauge(
    '_sending_paused',
    '1 while sending on WhatsApp is paused, for example after many failures',
    ({ sending }) => isTrue(sending.isPaused),
  );
  labelled('_watches', 'Watches by state', ['state'], ({ watches }) => by('state', watches));
  labelled('_messages', 'Messages by state', ['state'], ({ messages }) => by('state', messages));
  labelled('_messages_failed', "Failed messages by the provider's error code", ['code'], (of) =>
    by('code', of.failedByCode),
  );
  labelled('_channel_messages', 'Email and web push messages by state', ['channel', 'state'], (of) =>
    of.channels.flatMap(({ channel, messages }) =>
      Object.entries(messages).map(([state, count]) => [{ channel, state }, count] as const),
    ),
  );
  labelled('_channel_paused', '1 while sending on the channel is paused', ['channel'], ({ channels }) =>
    channels.map(({ channel, sending }) => [{ channel }, isTrue(sending.isPaused)]),
  );
  labelled('_template_held', '1 for a template that the provider does not accept now', ['template'], (of) =>
    of.heldTemplates.map(({ template }) => [{ template }, 1]),
  );
}

function by(label: string, counts: Readonly<Record<string, number>>): Labelled {
  return Object.entries(counts).map(([name, count]) => [{ [label]: name }, count]);
}

function isTrue(condition: boolean): number {
  return condition ? 1 : 0;
}
