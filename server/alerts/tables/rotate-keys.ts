import { randomBytes } from 'node:crypto';
import { writeNote } from '../../storage/notes.ts';
import { type AlertKeys, alertKeys, keyFingerprintOf } from '../keys/alert-keys.ts';
import { HASHED_COLUMNS, moveKey } from '../keys/hashed-columns.ts';
import { bytesOf, encodeSecrets, KEY_NOTE } from '../keys/key-ring.ts';
import type { AlertStore } from './alert-store.ts';
import { finishErasures, markForOverwriting } from './erasure.ts';

/** Few records per transaction, so that a STOP never waits long. */
const BATCH = 100;

const SECRET_BYTES = 32;

/** What replaces the new secret once the previous one may no longer open the store. */
const CONCLUDED = new Uint8Array();

export type BeginResult =
  /** `next` is the secret that replaces the given one. */
  | { kind: 'begun' | 'continued'; next: Uint8Array }
  /** The last rotation is finished but not concluded, and the given secret is its new one. */
  | { kind: 'not concluded' };

/**
 * Begins to replace a store's secret by a random one, or continues an interrupted rotation. From their next
 * transaction on, all processes write with the new keys and read with both.
 */
export function beginRotation(store: AlertStore, secret: Uint8Array, now: number): BeginResult {
  const own = alertKeys(secret);
  return store.transact(() => {
    const last = store.sql.get`select generation, sealed, older, fingerprint from alert_key
      order by generation desc limit 1`;
    const isConcluded = last === undefined || bytesOf(last.sealed).length === 0;
    if (!isConcluded && last.fingerprint === keyFingerprintOf(own)) return { kind: 'not concluded' };
    if (!isConcluded)
      return { kind: 'continued', next: Buffer.from(own.open(bytesOf(last.sealed)), 'base64') };
    const next = randomBytes(SECRET_BYTES);
    const keys = alertKeys(next);
    const older = last === undefined ? '' : `${own.open(bytesOf(last.older))} `;
    const generation = Number(last?.generation ?? 1) + 1;
    store.sql.run`insert into alert_key (generation, sealed, older, fingerprint, created_at)
      values (${generation}, ${own.seal(encodeSecrets([next]))}, ${keys.seal(older + encodeSecrets([secret]))},
        ${keyFingerprintOf(keys)}, ${now})`;
    return { kind: 'begun', next };
  });
}

/** Converts all records to the newest keys. Can be repeated. Returns how many were converted. */
export function moveRecords(store: AlertStore, now: number, progress: (moved: number) => void): number {
  let moved = 0;
  const count = (more: number) => {
    moved += more;
    progress(moved);
  };
  for (const [table, column] of HASHED_COLUMNS) moveColumn(store, table, column, count);
  resealNumbers(store, count);
  store.transact(() => {
    store.sql.run`update alert_key set finished_at = ${now} where finished_at is null`;
  });
  return moved;
}

function moveColumn(store: AlertStore, table: string, column: string, count: (more: number) => void): void {
  const find = store.database.prepare(
    `select distinct ${column} as hash from ${table} where ${column} > ? order by ${column} limit ${BATCH}`,
  );
  let last = '';
  for (;;) {
    const found = store.transact(() => {
      const hashes = find.all(last).map(({ hash }) => String(hash));
      const outdated = hashes.filter((hash) => store.keys.wrap(hash) !== hash);
      for (const hash of outdated) moveKey(store.database, hash, store.keys.wrap(hash));
      return { last: hashes.at(-1), outdated: outdated.length };
    });
    if (found.last === undefined) return;
    last = found.last;
    count(found.outdated);
  }
}

function resealNumbers(store: AlertStore, count: (more: number) => void): void {
  const { sql } = store;
  let last = 0;
  for (;;) {
    const found = store.transact(() => {
      const people = sql.all`select id, contact_sealed from alert_contact
        where id > ${last} order by id limit ${BATCH}`;
      let resealed = 0;
      for (const { id, contact_sealed } of people) {
        const sealed = store.keys.reseal(bytesOf(contact_sealed));
        if (sealed === null) continue;
        sql.run`update alert_contact set contact_sealed = ${sealed} where id = ${Number(id)}`;
        resealed += 1;
      }
      return { last: people.at(-1)?.id, resealed };
    });
    if (typeof found.last !== 'number') return;
    last = found.last;
    count(found.resealed);
  }
}

/** Ends the use of the previous secret. False if `own` is not from the new one, or if records remain to convert. */
export function concludeRotation(store: AlertStore, own: AlertKeys): boolean {
  const isDone = store.transact(() => {
    const fingerprint = keyFingerprintOf(own);
    const last = store.sql.get`select generation, fingerprint, finished_at from alert_key
      order by generation desc limit 1`;
    if (last === undefined || last.fingerprint !== fingerprint || last.finished_at === null) return false;
    const generation = Number(last.generation);
    store.sql.run`delete from alert_key where generation < ${generation}`;
    store.sql.run`update alert_key set sealed = ${CONCLUDED} where generation = ${generation}`;
    writeNote(store, KEY_NOTE, fingerprint);
    markForOverwriting(store);
    return true;
  });
  if (isDone) finishErasures(store);
  return isDone;
}
