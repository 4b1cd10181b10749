import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { type MetaSimulator, startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';

/** The results of a storm of alerts. */
export interface StormReport {
  alerts: number;
  calls: number;
  /** Calls rejected with a rate limit. Their alerts must be retried. */
  refused: number;
  /** Alerts that the provider accepted. */
  accepted: number;
  /** Alerts that it accepted more than once. */
  twice: number;
  /** Alerts that are neither accepted nor listed as unknown. */
  lost: number;
  /** Alerts that are listed as unknown, and how many of them the provider never accepted. */
  unknown: number;
  unknownNotAccepted: number;
  pauses: number;
}

const HOUR = 3_600_000;

/**
 * Sends an alert to each of `numbers` on each of `days` days through a provider with every kind of fault, and
 * counts what arrives. The clock skips waits; calls, timeouts and resets are real.
 */
export async function runAlertStorm(storm: {
  numbers: number;
  days: number;
  seed: number;
  webhooks: boolean;
  timeoutMs: number;
}): Promise<StormReport> {
  const simulator = await startMetaSimulator({ seed: storm.seed, faulty: true });
  const alerts = await openSmallAlerts({
    variables: { ALERT_CONFIRMATION: 'none', ALERT_MESSAGE_PENCE: '0' },
    config: (config) => ({
      ...config,
      provider: simulator.settings,
      sending: { ...config.sending, timeoutMs: storm.timeoutMs },
    }),
  });
  // The storm lasts longer than the small inventory is on sale.
  await alerts.parts.store.database.exec('update offer set expires_at = 99999999, departure_minute = 0');
  const watched = farthest(alerts);
  for (let index = 0; index < storm.numbers; index += 1) await alerts.signUp(dramaNumber(index), watched);
  // Only price drops are counted.
  await alerts.parts.store.sql.run`delete from alert_message`;

  const price = await alerts.priceOf(watched);
  let pauses = 0;
  for (let day = 0; day < storm.days; day += 1) {
    await alerts.setPrice(watched, Math.floor(price * 0.85));
    pauses += await sendUntilMorning(alerts, simulator, storm.webhooks);
    await alerts.setPrice(watched, price);
  }
  const report = await countUp(alerts, simulator, storm.numbers * storm.days, pauses);
  await alerts.close();
  await simulator.close();
  return report;
}

/** Sends until the queue is empty, then advances the clock to the next noon. */
async function sendUntilMorning(
  alerts: SmallAlerts,
  simulator: MetaSimulator,
  hasWebhooks: boolean,
): Promise<number> {
  const { dispatcher, store } = alerts.parts;
  const noon = alerts.now() + 24 * HOUR;
  let pauses = 0;
  for (;;) {
    await dispatcher.drain();
    if (hasWebhooks) for (const request of simulator.webhooks()) await alerts.service.processWebhook(request);
    const queued = await store.sql
      .get`select count(*) as count, min(due_at) as due from alert_message where state = 'queued'`;
    if (queued?.count === 0) break;
    const openUntil = Number(
      (await store.sql.get`select until from alert_pause where channel = 'whatsapp' and template = ''`)
        ?.until,
    );
    if (openUntil > alerts.now()) pauses += 1;
    alerts.passTime(Math.max(100, Number(queued?.due) - alerts.now(), openUntil - alerts.now()));
  }
  alerts.passTime(Math.max(0, noon - alerts.now()));
  return pauses;
}

async function countUp(
  alerts: SmallAlerts,
  simulator: MetaSimulator,
  fired: number,
  pauses: number,
): Promise<StormReport> {
  const { sql } = alerts.parts.store;
  const drops = simulator.accepted.filter(({ template }) => template === 'drop');
  // A call's token names the message, then the attempt.
  const acceptedMessages = drops.map(({ token }) => token.split('.')[0]);
  const tokens = new Set(drops.map(({ token }) => token));
  const unknown = await sql.all`select token from alert_message where state = 'unknown'`;
  const unknownNotAccepted = unknown.filter(({ token }) => !tokens.has(String(token))).length;
  const once = new Set(acceptedMessages).size;
  return {
    alerts: fired,
    calls: simulator.calls.length,
    refused: simulator.calls.filter(({ fault }) => fault === 'too many').length,
    accepted: drops.length,
    twice: drops.length - once,
    lost: fired - once - unknownNotAccepted,
    unknown: unknown.length,
    unknownNotAccepted,
    pauses,
  };
}

/** A package with the last departure day. */
function farthest(alerts: SmallAlerts): string {
  return alerts.itemKeys.at(-1) ?? '';
}
