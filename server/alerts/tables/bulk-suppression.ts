import { contactKeyOf } from '../keys/contact-key.ts';
import type { AlertSession, AlertStore } from './alert-store.ts';
import { contactByKey } from './contacts.ts';
import { NO_SENDER } from './sender.ts';
import { isSuppressed, liftSuppression, startContact, stopContact, suppress } from './stops.ts';

export type BulkAct = 'add' | 'remove' | 'check';

export interface BulkReport {
  /** Contacts that were changed; for `check`, contacts that are on the list. */
  changed: number;
  unchanged: number;
  /** The numbers, from 1, of lines that are neither a UK phone number nor an email address. */
  wrongLines: number[];
}

/** Few contacts per transaction, so that a STOP never waits long. */
const BATCH = 200;

/**
 * Adds a file's contacts to the suppression list, removes them, or counts those on it. Each line is blank or
 * has a number or email address in any spelling. An interrupted run can be repeated.
 */
export async function suppressInBulk(
  store: AlertStore,
  act: BulkAct,
  lines: readonly string[],
  now: number,
  progress: (done: number) => void,
): Promise<BulkReport> {
  const report: BulkReport = { changed: 0, unchanged: 0, wrongLines: [] };
  for (let at = 0; at < lines.length; at += BATCH) {
    await store.transact(async (tx) => {
      for (const [index, line] of lines.slice(at, at + BATCH).entries()) {
        if (line.trim() === '') continue;
        const key = contactKeyOf(store.keys, line.trim());
        if (key === null) report.wrongLines.push(at + index + 1);
        else if (await actOn(tx, act, key, now)) report.changed += 1;
        else report.unchanged += 1;
      }
    });
    progress(Math.min(at + BATCH, lines.length));
  }
  return report;
}

async function actOn(store: AlertSession, act: BulkAct, key: string, now: number): Promise<boolean> {
  const contact = await contactByKey(store, key);
  const names = contact ?? { contactKey: key, userKey: null };
  const isListed = await isSuppressed(store, names);
  if (act === 'check') return isListed;
  if (isListed === (act === 'add')) return false;
  const isAdded = act === 'add';
  // One millisecond later, because at equal times the STOP would count.
  const at = isAdded ? now : now + 1;
  if (contact !== null) await (isAdded ? stopContact : startContact)(store, contact, { at, now });
  else await (isAdded ? suppress : liftSuppression)(store, NO_SENDER, names, at);
  return true;
}
