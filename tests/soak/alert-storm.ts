import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { type MetaSimulator, startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';

/** What became of the alerts that a storm has fired. */
export interface StormReport {
  alerts: number;
  calls: number;
  /** Calls that the provider refused as too many: their alerts have to be sent again. */
  refused: number;
  /** Alerts that the provider took; more than once is a message twice. */
  taken: number;
  twice: number;
  /** Alerts that are neither taken nor listed as unknown. */
  lost: number;
  /** Listed as unknown by the service, and of these the ones that the provider never took. */
  unknown: number;
  unknownNotTaken: number;
  pauses: number;
}

const HOUR = 3_600_000;

/**
 * Fires an alert for each of `numbers` on each of `days` days through a provider that goes wrong in every way,
 * and counts what arrived. The clock jumps over the waits; the calls, their time-outs and their resets are real.
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
  // The storm outlasts the small inventory's days.
  alerts.parts.store.database.exec('update offer set expires_at = 99999999, departure_minute = 0');
  const watched = farthest(alerts);
  for (let index = 0; index < storm.numbers; index += 1) await alerts.signUp(dramaNumber(index), watched);
  // Only drops are counted.
  alerts.parts.store.sql.run`delete from alert_message`;

  const price = alerts.priceOf(watched);
  let pauses = 0;
  for (let day = 0; day < storm.days; day += 1) {
    await alerts.setPrice(watched, Math.floor(price * 0.85));
    pauses += await sendUntilMorning(alerts, simulator, storm.webhooks);
    await alerts.setPrice(watched, price);
  }
  const report = countUp(alerts, simulator, storm.numbers * storm.days, pauses);
  await alerts.close();
  await simulator.close();
  return report;
}

/** Sends until nothing waits, then goes on to the next noon. */
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
    const queued = store.sql
      .get`select count(*) as count, min(due_at) as due from alert_message where state = 'queued'`;
    if (queued?.count === 0) break;
    const openUntil = Number(store.sql.get`select open_until from alert_circuit`?.open_until);
    if (openUntil > alerts.now()) pauses += 1;
    alerts.passTime(Math.max(100, Number(queued?.due) - alerts.now(), openUntil - alerts.now()));
  }
  alerts.passTime(Math.max(0, noon - alerts.now()));
  return pauses;
}

function countUp(alerts: SmallAlerts, simulator: MetaSimulator, fired: number, pauses: number): StormReport {
  const { sql } = alerts.parts.store;
  const drops = simulator.accepted.filter(({ template }) => template === 'drop');
  const tokens = new Set(drops.map(({ token }) => token));
  const attempts = sql.all`select message, token from alert_attempt` as unknown as {
    message: number;
    token: string;
  }[];
  const messageOf = new Map(attempts.map(({ message, token }) => [token, message]));
  const takenMessages = drops.map(({ token }) => messageOf.get(token));
  const unknown = sql.all`select alert_attempt.token as token from alert_message
    join alert_attempt on alert_attempt.id = alert_message.attempt where alert_message.state = 'unknown'`;
  const unknownNotTaken = unknown.filter(({ token }) => !tokens.has(String(token))).length;
  const once = new Set(takenMessages).size;
  return {
    alerts: fired,
    calls: simulator.calls.length,
    refused: simulator.calls.filter(({ fault }) => fault === 'too many').length,
    taken: drops.length,
    twice: drops.length - once,
    lost: fired - once - unknownNotTaken,
    unknown: unknown.length,
    unknownNotTaken,
    pauses,
  };
}

/** A package of the last departure day. */
function farthest(alerts: SmallAlerts): string {
  return alerts.itemKeys.at(-1) ?? '';
}
