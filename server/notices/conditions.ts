import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import { readPause, templateHolds } from '../alerts/delivery/pauses.ts';
import { alertKeys } from '../alerts/keys/alert-keys.ts';
import { alertStore } from '../alerts/tables/alert-store.ts';
import { CHANNELS } from '../alerts/tables/contacts.ts';
import { readBackupState } from '../backup/backup-notes.ts';
import { type ProviderState, readProviderStates, type StateSources } from '../feed/provider-states.ts';
import { STANDING_NOTE } from '../inventory/inventory-notes.ts';
import { outdatedCharges } from '../inventory/outdated-charges.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { mapInOrder } from '../lib/map-in-order.ts';
import { readNotes } from '../storage/notes.ts';
import type { CheckedServers } from '../storage/postgres/check-server.ts';
import { faultSentences } from '../storage/postgres/unusable-server.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { Condition } from './condition.ts';
import { feedFileConditions } from './feed-files.ts';

export type { Condition };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The first retries often succeed. */
const FAILED_GRACE_MS = 10 * MINUTE_MS;

/** If the last nightly backup is older than this, a night was missed. */
const BACKUP_LATE_MS = 36 * HOUR_MS;

/** Below this, sign-ups, clicks and imports will soon be refused. */
const LOW_DISK = 200_000_000;

/** The current conditions that can be found in the store. Throws if the store does not respond. */
export async function conditionsOfStore(database: SqlDatabase, sources: StateSources): Promise<Condition[]> {
  const isOnSale = database.prepare('select 1 from offer where departure_day > ? limit 1');
  const isEmpty = (await isOnSale.row(dayNumber(todayInLondon(sources.now)))) === undefined;
  return [
    ...(isEmpty ? [NOTHING_ON_SALE] : []),
    ...feedConditions(await readProviderStates(database, sources), sources).filter(
      // Without the list of providers, only this is known.
      ({ key }) => sources.providers !== null || key.startsWith('feed held '),
    ),
    ...(await feedFileConditions(database, sources.now)),
    ...(await alertConditions(database, sources.now)),
    ...(await backupConditions(database, sources.now)),
    ...(await standingConditions(database)),
  ];
}

const NOTHING_ON_SALE: Condition = {
  key: 'empty',
  title: 'Nothing is on sale',
  text: `The store has no packages that depart from tomorrow on. See ${quoted('feed', 'status')}.`,
  graceMs: FAILED_GRACE_MS,
};

/**
 * Problems of feeds. Each ends only with a successful import that began after it: neither a retry that is still
 * running nor a withdrawal ends one.
 */
function feedConditions(
  states: readonly ProviderState[],
  { now, feedLateMs }: Pick<StateSources, 'now' | 'feedLateMs'>,
): Condition[] {
  return states.flatMap(({ provider, isListed, feed, matchedAt, lateAt, isEmpty }) => {
    const show = `See ${quoted('feed', `show ${provider}`)}.`;
    const conditions: Condition[] = [];
    const add = (kind: string, title: string, text: string, graceMs = 0) =>
      conditions.push({ key: `feed ${kind} ${provider}`, title, text, graceMs });
    const { held = null, failures: [failure] = [] } = feed ?? {};
    if (held !== null) {
      const text = `${held.message}. Review with ${quoted('feed', `show ${provider}`)}, then accept or discard.`;
      add('held', `A feed of ${provider} is held for review`, text);
    }
    if (failure !== undefined)
      add('failed', `The feed of ${provider} fails`, `${failure.message} ${show}`, FAILED_GRACE_MS);
    if (!isListed) return conditions;
    const check = `See ${quoted('feed', 'status')}, and ${quoted('feed', `check ${provider}`)}.`;
    if (matchedAt === null) {
      const text = `providers.json lists ${provider}, but none of its feeds has been imported. ${check}`;
      add('missing', `The feed of ${provider} has never been imported`, text, feedLateMs);
    }
    if (matchedAt !== null && lateAt !== null && now > lateAt) {
      const text = `The last import was ${Math.floor((now - matchedAt) / HOUR_MS)} hours ago, on ${instant(matchedAt)}. ${check}`;
      add('late', `The feed of ${provider} is late`, text);
    }
    if (isEmpty)
      add(
        'empty',
        `Nothing of ${provider} is on sale`,
        `Its packages were removed or have departed. ${show}`,
      );
    return conditions;
  });
}

/** A command in a message. */
function quoted(name: string, words?: string): string {
  return `\`${installedCommand(name, words)}\``;
}

async function alertConditions(database: SqlDatabase, now: number): Promise<Condition[]> {
  // Reading works without a valid key.
  const store = alertStore(database, alertKeys(new Uint8Array(32)));
  const paused = await mapInOrder(CHANNELS, async (channel) => {
    const { heldUntil, isProbing, reason } = await readPause(store, channel);
    const isHeld = heldUntil !== null && heldUntil > now;
    if (!isHeld && (!isProbing || reason?.startsWith('slow down') === true)) return [];
    const why = isHeld ? 'an operator paused it' : (reason ?? 'the reason is unknown');
    const title = `Price alerts by ${channel === 'whatsapp' ? 'WhatsApp' : channel} are paused`;
    const text = `Sending is paused: ${why}. See ${quoted('alerts', 'status')}, then ${quoted('alerts', 'resume')}.`;
    return [{ key: `alerts paused ${channel}`, title, text, graceMs: MINUTE_MS }];
  });
  const held = (await templateHolds(store)).map(({ template, reason }) => ({
    key: `template ${template}`,
    title: `The provider rejects the template ${template}`,
    text: `Its messages wait (${reason}). Correct the template, then run ${quoted('alerts', `resume ${template}`)}.`,
    graceMs: 0,
  }));
  return [...paused.flat(), ...held];
}

async function backupConditions(database: SqlDatabase, now: number): Promise<Condition[]> {
  const { goodAt, failure } = await readBackupState(database);
  if (failure !== null) {
    const text = `${failure} Run the backup again: ${quoted('backup')}.`;
    return [{ key: 'backup failed', title: 'The backup failed', text, graceMs: 0 }];
  }
  if (goodAt === null || now - goodAt <= BACKUP_LATE_MS) return [];
  const text = `The last good backup was made on ${instant(goodAt)}. Check the timer or job that runs ${quoted('backup')}.`;
  return [{ key: 'backup late', title: 'The backup is late', text, graceMs: 0 }];
}

async function standingConditions(database: SqlDatabase): Promise<Condition[]> {
  return (await readNotes(database, STANDING_NOTE)).map(({ name, value }) => {
    const provider = name.slice(STANDING_NOTE.length);
    const what = value === 'hidden' ? 'searches leave its packages out' : 'its cards carry a warning';
    const text = `Visitors' clicks or checks often find higher prices than its feed, so ${what}. Ask the provider. ${quoted('price:accuracy')} has the counts, and ${quoted('price:accuracy', `lift ${provider}`)} ends this.`;
    return {
      key: `prices ${value} ${provider}`,
      title: `The prices of ${provider} differ`,
      text,
      graceMs: 0,
    };
  });
}

/** `freeBytes` is the free space on the embedded store's disk; null if unknown. */
export function conditionsOfDisk(freeBytes: number | null): Condition[] {
  if (freeBytes === null || freeBytes >= LOW_DISK) return [];
  const text = `${Math.floor(freeBytes / 1e6)} MB is free. On a full disk, sign-ups, clicks and imports are refused. Free space, or move DATA_DIR.`;
  return [{ key: 'disk', title: 'The disk of the data folder is nearly full', text, graceMs: 0 }];
}

/** The primary's faults are those of the store. */
export function conditionsOfReplicas({ replicas }: CheckedServers): Condition[] {
  return replicas.flatMap(({ name, fault }) => {
    if (fault === null) return [];
    const text = `${faultSentences(name, fault)} Searches go to the other servers.`;
    return [{ key: `replica ${name}`, title: `${name} is not used`, text, graceMs: MINUTE_MS }];
  });
}

export function conditionsOfCharges(charges: ChargeTable, now: number): Condition[] {
  return outdatedCharges(charges, todayInLondon(now)).map(({ kind, summary, remedy }) => ({
    key: `charges ${kind}`,
    title: `${kind === 'rates' ? 'Exchange rates' : 'Rules of local charges'} need an update`,
    text: `${summary} ${remedy}`,
    graceMs: 0,
  }));
}

export function storeUnavailable(reason: string): Condition {
  const text = `${reason}. Sign-ups and imports are refused. See /readyz and ${quoted('doctor')}.`;
  return { key: 'store', title: 'The store does not respond', text, graceMs: MINUTE_MS };
}

export function settingsRefused(message: string): Condition {
  return { key: 'settings', title: 'A setting or providers.json is invalid', text: message, graceMs: 0 };
}

function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
