import { readPause } from '../alerts/delivery/pauses.ts';
import type { AlertMetrics } from '../alerts/status/alert-metrics.ts';
import { CHANNELS } from '../alerts/tables/contacts.ts';
import { mapInOrder } from '../lib/map-in-order.ts';
import { type Condition, MINUTE_MS } from './condition.ts';
import { gauge } from './gauge.ts';
import type { StoreView } from './store-view.ts';

export const ALERTS_PAUSED: Condition<StoreView, AlertMetrics> = {
  id: 'alerts paused',
  level: 'warn',
  sentence: 'Price alerts by $ are paused',
  remedy: 'See {alerts status}, then {alerts resume}.',
  graceMs: MINUTE_MS,
  gauges: [
    gauge(
      'alert_sending_paused',
      '1 while sending on WhatsApp is paused, for example after many failures',
      ({ sending }) => Number(sending.isPaused),
    ),
    gauge(
      'alert_channel_paused',
      '1 while sending on the channel is paused',
      ({ channels }) => channels.map(({ channel, sending }) => [{ channel }, Number(sending.isPaused)]),
      'channel',
    ),
  ],
  async read({ alertStore, now }) {
    const paused = await mapInOrder(CHANNELS, async (channel) => {
      const { heldUntil, isProbing, reason } = await readPause(alertStore, channel);
      const isByOperator = heldUntil !== null && heldUntil > now;
      if (!isByOperator && (!isProbing || reason?.startsWith('slow down') === true)) return [];
      const detail = isByOperator ? 'an operator paused them' : (reason ?? 'the reason is unknown');
      return { subject: channel === 'whatsapp' ? 'WhatsApp' : channel, detail };
    });
    return paused.flat();
  },
};
