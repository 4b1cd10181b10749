import { STOPPED } from '../../server/alerts/texts/message-text.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { type MetaSimulator, startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { seeded } from '../fixtures/alerts/seeded.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';
import type { StoreKind } from '../fixtures/test-stores.ts';

export interface RaceReport {
  races: number;
  /** Calls that reached the provider after the response to the STOP. */
  late: number;
  /** Races that the send won, and races that the STOP won. A run without both proves nothing. */
  sent: number;
  notSent: number;
}

/**
 * Races a STOP against a send to the same number, many times: an alert is due, the outbox starts to send it,
 * and at about the same time the STOP's webhook arrives. The provider records when each call arrives.
 */
export async function raceStops(
  races: number,
  seed: number,
  store: StoreKind = 'embedded',
): Promise<RaceReport> {
  const random = seeded(seed);
  const simulator = await startMetaSimulator({ seed });
  const alerts = await openSmallAlerts({
    store,
    variables: { ALERT_CONFIRMATION: 'none', ALERT_QUIET_HOURS: 'none' },
    config: (config) => ({
      ...config,
      provider: simulator.settings,
      sending: { ...config.sending, numberEveryMs: 0, messagesPerDay: 0, pencePerDay: 0 },
    }),
  });
  const report: RaceReport = { races, late: 0, sent: 0, notSent: 0 };
  await alerts.signUp(dramaNumber(races), alerts.itemKeys[0] ?? '');
  const turnsOfSend = await turnsUntil(alerts.parts.dispatcher.drain());
  for (let race = 0; race < races; race += 1) {
    const outcome = await raceOnce(alerts, simulator, race, random, turnsOfSend);
    if (outcome.isLate) report.late += 1;
    if (outcome.isSent) report.sent += 1;
    else report.notSent += 1;
  }
  await alerts.close();
  await simulator.close();
  return report;
}

/** How many turns of the event loop pass until this settles. */
async function turnsUntil(work: Promise<unknown>): Promise<number> {
  let isSettled = false;
  const settled = work.finally(() => {
    isSettled = true;
  });
  let turns = 0;
  for (; !isSettled; turns += 1) await new Promise(setImmediate);
  await settled;
  return turns;
}

async function raceOnce(
  alerts: SmallAlerts,
  simulator: MetaSimulator,
  race: number,
  random: () => number,
  turnsOfSend: number,
) {
  const { sql } = alerts.parts.store;
  const number = dramaNumber(race);
  const itemKey = alerts.itemKeys[race % alerts.itemKeys.length] ?? '';
  await sql.run`delete from alert_suppression`;
  await sql.run`delete from alert_start`;
  await sql.run`delete from alert_contact`;
  alerts.passTime(2_000);
  await alerts.signUp(number, itemKey);
  const from = simulator.calls.length;

  const stop = async () => {
    const message = { from: number, id: `race ${race}`, type: 'text', text: { body: 'STOP' } };
    await alerts.service.processWebhook(simulator.inbound(message));
    return performance.now();
  };
  const wait = Math.floor(random() * turnsOfSend);
  const sending = alerts.parts.dispatcher.drain();
  for (let turn = 0; turn < wait; turn += 1) await new Promise(setImmediate);
  const stoppedFirst = race % 3 === 0;
  const answeredAt = await (stoppedFirst ? stopThenSend(alerts, number, stop, random) : stop());
  await sending;
  await alerts.parts.dispatcher.drain();
  // The reply to the STOP is the only message that may follow it.
  const calls = simulator.calls.slice(from).filter(({ text }) => text !== STOPPED);
  return { isLate: calls.some(({ at }) => at > answeredAt), isSent: calls.length > (stoppedFirst ? 1 : 0) };
}

/** The opposite order: a second message becomes due in the same turn in which the STOP arrives. */
async function stopThenSend(
  alerts: SmallAlerts,
  number: string,
  stop: () => Promise<number>,
  random: () => number,
): Promise<number> {
  await alerts.parts.dispatcher.drain();
  const key = alerts.parts.store.keys.keyFor('number', number);
  await alerts.parts.store.sql.run`update alert_message set state = 'queued' where contact =
    (select id from alert_contact where contact_key = ${key})`;
  if (random() < 0.5) {
    const sending = alerts.parts.dispatcher.drain();
    const answeredAt = await stop();
    await sending;
    return answeredAt;
  }
  const answering = stop();
  await alerts.parts.dispatcher.sendDue();
  return answering;
}
