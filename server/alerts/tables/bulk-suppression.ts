import { contactKey } from '../keys/contact-key.ts';
import type { AlertStore } from './alert-store.ts';
import { personByKey } from './people.ts';
import { stopPerson } from './stop-person.ts';
import { isSuppressed, liftSuppression, suppress } from './suppression.ts';

export type BulkAct = 'add' | 'remove' | 'check';

export interface BulkReport {
  /** Contacts that the act changed; for `check`, those on the list. */
  changed: number;
  unchanged: number;
  /** Lines that are neither a UK phone number nor an email address, counted from 1. */
  wrongLines: number[];
}

/** Numbers in one transaction, so that a STOP never waits for long. */
const AT_ONCE = 200;

/**
 * Adds the numbers of a file's lines to the suppression list, removes them, or counts those on it. Each line is a
 * number or an email address, spelled in any way; blank lines are skipped. An interrupted run is repeated from the
 * start: what is done stays done.
 */
export function suppressInBulk(
  store: AlertStore,
  act: BulkAct,
  lines: readonly string[],
  now: number,
  progress: (done: number) => void,
): BulkReport {
  const report: BulkReport = { changed: 0, unchanged: 0, wrongLines: [] };
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    store.transact(() => {
      for (const [index, line] of lines.slice(at, at + AT_ONCE).entries()) {
        if (line.trim() === '') continue;
        const key = contactKey(store.keys, line.trim());
        if (key === null) report.wrongLines.push(at + index + 1);
        else if (actOn(store, act, key, now)) report.changed += 1;
        else report.unchanged += 1;
      }
    });
    progress(Math.min(at + AT_ONCE, lines.length));
  }
  return report;
}

const NOBODY = { number: null, userId: null };

function actOn(store: AlertStore, act: BulkAct, key: string, now: number): boolean {
  const person = personByKey(store, key);
  const names = person ?? { numberKey: key, userKey: null };
  const isListed = isSuppressed(store, names);
  if (act === 'check') return isListed;
  if (isListed === (act === 'add')) return false;
  // Of a STOP and a START at one time the STOP counts, but an operator has seen the STOP.
  if (act === 'remove') liftSuppression(store, NOBODY, names, now + 1);
  else if (person === null) suppress(store, NOBODY, names, now);
  else stopPerson(store, NOBODY, person, { scope: { kind: 'everything' }, at: now, now });
  return true;
}
