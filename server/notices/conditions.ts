import { readCircuit } from '../alerts/delivery/circuit.ts';
import { templateHolds } from '../alerts/delivery/template-holds.ts';
import { alertKeys } from '../alerts/keys/alert-keys.ts';
import { alertStore } from '../alerts/tables/alert-store.ts';
import { CHANNELS } from '../alerts/tables/contacts.ts';
import { readBackupState } from '../backup/backup-notes.ts';
import { readFeedStates } from '../feed/attempts/attempt-table.ts';
import { readLastImports } from '../feed/write/store-notes.ts';
import { STANDING_NOTE } from '../inventory/inventory-notes.ts';
import { readNotes } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** Something that an operator must know about while it lasts. */
export interface Condition {
  /** Identifies the condition while it lasts, such as `feed late ALFA`. */
  key: string;
  /** A line, such as 'The feed of ALFA is late'. */
  title: string;
  /** What happened, and what to do. */
  text: string;
  /** How long the condition has to last before anyone is notified. */
  graceMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The first retries often succeed. */
const FAILED_GRACE_MS = 10 * MINUTE_MS;

/** If the last nightly backup is older than this, a night was missed. */
const BACKUP_LATE_MS = 36 * HOUR_MS;

/** Below this, sign-ups, clicks and imports will soon be refused. */
const LOW_DISK = 200_000_000;

export interface ConditionSources {
  now: number;
  /** The providers of providers.json. */
  providers: readonly string[];
  feedLateMs: number;
}

/** The current conditions that can be found in the store. Throws if the store does not respond. */
export function conditionsOfStore(database: SqlDatabase, sources: ConditionSources): Condition[] {
  return [
    ...feedConditions(database, sources),
    ...alertConditions(database, sources.now),
    ...backupConditions(database, sources.now),
    ...standingConditions(database),
  ];
}

function feedConditions(
  database: SqlDatabase,
  { now, providers, feedLateMs }: ConditionSources,
): Condition[] {
  const imports = new Map(
    readLastImports(database).map(({ provider, last }) => [provider, Date.parse(last.at)]),
  );
  const states = readFeedStates(database);
  const held = states.flatMap(({ provider, held }) => {
    if (held === null) return [];
    const text = `${held.message}. Review with \`npm run feed -- show ${provider}\`, then accept or discard.`;
    return [
      { key: `feed held ${provider}`, title: `A feed of ${provider} is held for review`, text, graceMs: 0 },
    ];
  });
  const failed = states.flatMap(({ provider, last, failures }) => {
    if (failures === 0 || last.outcome !== 'failed') return [];
    const text = `${last.message} See \`npm run feed -- show ${provider}\`.`;
    return [
      {
        key: `feed failed ${provider}`,
        title: `The feed of ${provider} fails`,
        text,
        graceMs: FAILED_GRACE_MS,
      },
    ];
  });
  const late = providers.flatMap((provider) => {
    const seenAt = states.find((one) => one.provider === provider)?.seenAt;
    const at = seenAt ?? imports.get(provider);
    const check = 'See `npm run feed -- status`, and `npm run feed -- check CODE`.';
    if (at === undefined) {
      const title = `The feed of ${provider} has never been imported`;
      const text = `providers.json lists ${provider}, but none of its feeds has been imported. ${check}`;
      return [{ key: `feed missing ${provider}`, title, text, graceMs: feedLateMs }];
    }
    if (now - at <= feedLateMs) return [];
    const text = `The last import was ${Math.floor((now - at) / HOUR_MS)} hours ago, on ${instant(at)}. ${check}`;
    return [{ key: `feed late ${provider}`, title: `The feed of ${provider} is late`, text, graceMs: 0 }];
  });
  return [...held, ...failed, ...late];
}

function alertConditions(database: SqlDatabase, now: number): Condition[] {
  // Reading works without a valid key.
  const store = alertStore(database, alertKeys(new Uint8Array(32)));
  const paused = CHANNELS.flatMap((channel) => {
    const { heldUntil, isProbing, reason } = readCircuit(store, channel);
    const isHeld = heldUntil !== null && heldUntil > now;
    if (!isHeld && (!isProbing || reason?.startsWith('slow down') === true)) return [];
    const why = isHeld ? 'an operator paused it' : (reason ?? 'the reason is unknown');
    const title = `Price alerts by ${channel === 'whatsapp' ? 'WhatsApp' : channel} are paused`;
    const text = `Sending is paused: ${why}. See \`npm run alerts -- status\`, then \`npm run alerts -- resume\`.`;
    return [{ key: `alerts paused ${channel}`, title, text, graceMs: MINUTE_MS }];
  });
  const held = templateHolds(store).map(({ template, reason }) => ({
    key: `template ${template}`,
    title: `The provider rejects the template ${template}`,
    text: `Its messages wait (${reason}). Correct the template, then run \`npm run alerts -- resume ${template}\`.`,
    graceMs: 0,
  }));
  return [...paused, ...held];
}

function backupConditions(database: SqlDatabase, now: number): Condition[] {
  const { goodAt, failure } = readBackupState(database);
  if (failure !== null) {
    const text = `${failure} Run the backup again: \`npm run backup\`.`;
    return [{ key: 'backup failed', title: 'The backup failed', text, graceMs: 0 }];
  }
  if (goodAt === null || now - goodAt <= BACKUP_LATE_MS) return [];
  const text = `The last good backup was made on ${instant(goodAt)}. Check the timer or job that runs \`npm run backup\`.`;
  return [{ key: 'backup late', title: 'The backup is late', text, graceMs: 0 }];
}

function standingConditions(database: SqlDatabase): Condition[] {
  return readNotes(database, STANDING_NOTE).map(({ name, value }) => {
    const provider = name.slice(STANDING_NOTE.length);
    const what = value === 'hidden' ? 'searches leave its packages out' : 'its cards carry a warning';
    const text = `Visitors' clicks or checks often find higher prices than its feed, so ${what}. Ask the provider. \`npm run price:accuracy\` has the counts.`;
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

export function storeUnavailable(reason: string): Condition {
  const text = `${reason}. Sign-ups and imports are refused. See /readyz and \`npm run doctor\`.`;
  return { key: 'store', title: 'The store does not respond', text, graceMs: MINUTE_MS };
}

export function settingsRefused(message: string): Condition {
  return { key: 'settings', title: 'A setting or providers.json is invalid', text: message, graceMs: 0 };
}

function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
