import { readPause } from '../../server/alerts/delivery/pauses.ts';
import { nextDueTime, sendAgain } from '../../server/alerts/tables/messages.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { type Fault, type MetaSimulator, startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';
import type { StoreKind } from '../fixtures/test-stores.ts';

/** What the provider does: return 503 to every call, or hang before or after it has accepted a message. */
export type Outage = Extract<Fault, 'down' | 'hangs before' | 'hangs after'>;

export interface OutageReport {
  outage: Outage;
  minutes: number;
  alerts: number;
  calls: number;
  /** Alerts whose outcome was unknown after the outage. None is sent again until an operator asks for it. */
  unknown: number;
  /** Alerts that had arrived after an operator sent the unknown ones again. */
  arrived: number;
  lost: number;
  twice: number;
  /** How many minutes after the outage the queue was empty. */
  minutesAfter: number;
}

const A_SECOND_MS = 1_000;
const A_MINUTE_MS = 60 * A_SECOND_MS;

/**
 * Sends an alert to each of `numbers` through a provider that works for a second, then fails for `minutes`.
 * The alerts' clock only advances when no call is running. Timeouts are real, but short.
 */
export async function runOutage(
  outage: Outage,
  minutes: number,
  numbers: number,
  store: StoreKind = 'embedded',
): Promise<OutageReport> {
  let isDown = false;
  const simulator = await startMetaSimulator({
    seed: 1,
    faulty: false,
    outage: () => (isDown ? outage : null),
  });
  const alerts = await openSmallAlerts({
    store,
    variables: { ALERT_CONFIRMATION: 'none', ALERT_QUIET_HOURS: 'none' },
    config: (config) => ({
      ...config,
      provider: simulator.settings,
      sending: { ...config.sending, timeoutMs: 1_000 },
    }),
  });
  const watched = alerts.itemKeys.at(-1) ?? '';
  for (let index = 0; index < numbers; index += 1) await alerts.signUp(dramaNumber(index), watched);
  await alerts.parts.store.sql.run`delete from alert_message`;
  await alerts.setPrice(watched, Math.floor((await alerts.priceOf(watched)) * 0.8));

  const { dispatcher, store: held } = alerts.parts;
  const start = alerts.now();
  const downFrom = start + A_SECOND_MS;
  const downUntil = downFrom + minutes * A_MINUTE_MS;
  for (;;) {
    isDown = alerts.now() >= downFrom && alerts.now() < downUntil;
    await dispatcher.drain();
    for (const request of simulator.webhooks()) await alerts.service.processWebhook(request);
    const left = await held.sql
      .get`select count(*) as count from alert_message where state in ('queued', 'sending')`;
    if (left?.count === 0 && alerts.now() >= downUntil) break;
    const isBefore = alerts.now() < downFrom;
    const boundary = isBefore ? downFrom : isDown ? downUntil : Number.POSITIVE_INFINITY;
    alerts.passTime(Math.max(A_SECOND_MS, Math.min(await nextTime(alerts), boundary) - alerts.now()));
  }
  const minutesAfter = Math.round((alerts.now() - downUntil) / A_MINUTE_MS);
  const unknown = await sendUnknownAgain(alerts, simulator);
  const arrived = new Map<string, number>();
  for (const { number } of simulator.accepted) arrived.set(number, (arrived.get(number) ?? 0) + 1);
  const report = {
    outage,
    minutes,
    alerts: numbers,
    calls: simulator.calls.length,
    unknown,
    arrived: arrived.size,
    lost: numbers - arrived.size,
    twice: [...arrived.values()].filter((times) => times > 1).length,
    minutesAfter,
  };
  await alerts.close();
  await simulator.close();
  return report;
}

/** When something may be sent next. Infinity if the queue is empty. */
async function nextTime({ parts }: SmallAlerts): Promise<number> {
  const due = await nextDueTime(parts.store, 'whatsapp');
  return due === null
    ? Number.POSITIVE_INFINITY
    : Math.max(due, (await readPause(parts.store, 'whatsapp')).until);
}

/** Sends the listed unknown messages again, as an operator does. Returns how many there were. */
async function sendUnknownAgain(alerts: SmallAlerts, simulator: MetaSimulator): Promise<number> {
  const { dispatcher, store } = alerts.parts;
  const unknown = (await store.sql.all`select id from alert_message where state = 'unknown'`).map(({ id }) =>
    Number(id),
  );
  await sendAgain(store, unknown, alerts.now());
  for (let second = 0; second < 10; second += 1) {
    await dispatcher.drain();
    alerts.passTime(A_SECOND_MS);
  }
  for (const request of simulator.webhooks()) await alerts.service.processWebhook(request);
  return unknown.length;
}
