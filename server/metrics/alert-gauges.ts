import { Gauge, type Registry } from 'prom-client';
import type { AlertMetrics } from '../alerts/status/alert-metrics.ts';

/** Gauges of the alerts, read at each scrape. If the alerts do not answer, `skylark_alerts_up` is 0. */
export function registerAlertGauges(
  registry: Registry,
  alerts: { readMetrics(): Promise<AlertMetrics> },
): void {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `skylark_alert${name}`, help, labelNames, registers: [registry] });
  const watches = gauge('_watches', 'Watches by state', 'state');
  const people = gauge('_people', 'Phone numbers stored');
  const messages = gauge('_messages', 'Messages by state', 'state');
  const due = gauge('_messages_due', 'Messages that are due but not yet sent');
  const oldest = gauge('_oldest_due_seconds', 'Age of the oldest due message');
  const failed = gauge('_messages_failed', "Failed messages by the provider's error code", 'code');
  const stops = gauge('_stops', 'Phone numbers that opted out with STOP');
  const paused = gauge('_sending_paused', '1 while sending is paused, for example after many failures');
  const byChannel = gauge('_channel_messages', 'Messages of email and web push by state', 'channel', 'state');
  const channelPaused = gauge('_channel_paused', '1 while sending on the channel is paused', 'channel');
  const held = gauge('_template_held', '1 for a template that the provider does not accept now', 'template');
  const provider = gauge(
    '_provider_state',
    'What the provider last said: 1 for the current state',
    'subject',
    'state',
  );
  new Gauge({
    name: 'skylark_alerts_up',
    help: '1 if the alerts worker answers',
    registers: [registry],
    async collect() {
      const read = await alerts.readMetrics().catch(() => null);
      this.set(read === null ? 0 : 1);
      if (read === null) return;
      setAll(watches, 'state', read.watches);
      people.set(read.people);
      setAll(messages, 'state', read.messages);
      due.set(read.due);
      oldest.set(read.oldestDueSeconds);
      setAll(failed, 'code', read.failedByCode);
      stops.set(read.stops);
      paused.set(read.sending.isPaused ? 1 : 0);
      byChannel.reset();
      for (const { channel, messages: states, sending } of read.channels) {
        channelPaused.set({ channel }, sending.isPaused ? 1 : 0);
        for (const [state, count] of Object.entries(states)) byChannel.set({ channel, state }, count);
      }
      held.reset();
      for (const { template } of read.heldTemplates) held.set({ template }, 1);
      provider.reset();
      for (const { subject, state } of read.providerStates) provider.set({ subject, state }, 1);
    },
  });
}

function setAll(gauge: Gauge, label: string, values: Readonly<Record<string, number>>): void {
  gauge.reset();
  for (const [name, value] of Object.entries(values)) gauge.set({ [label]: name }, value);
}
