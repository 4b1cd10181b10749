import { readFileSync, writeFileSync } from 'node:fs';
import { contactKeyOf } from '../../alerts/keys/contact-key.ts';
import type { AlertSession, AlertStore } from '../../alerts/tables/alert-store.ts';
import { type BulkAct, suppressInBulk } from '../../alerts/tables/bulk-suppression.ts';
import { contactByKey } from '../../alerts/tables/contacts.ts';
import { eraseNumber } from '../../alerts/tables/erasure.ts';
import { callersPath } from '../../lib/callers-path.ts';
import { isAgreed, type Operation, whoActs } from './operation.ts';

const INVALID =
  'This is neither a UK phone number nor an email address. Write 07700 900123, +44 7700 900123 or someone@example.com.';

/** `lookup` and `export`: everything stored about a number. The audit records both. */
export async function readNumber(operation: Operation, act: 'lookup' | 'export') {
  const { store, words, options, now, print, fail } = operation;
  const key = contactKeyOf(store.keys, words.join(' '));
  if (key === null) return fail(INVALID);
  if (!options.why) return fail(`${act} is audited: give the reason with --why 'a request of ...'.`);
  const audit = { key, act, who: whoActs(operation), why: options.why, now };
  // Recorded first, so that no lookup goes unrecorded.
  await store.transact((tx) => recordAct(tx, audit));
  const record = await numberRecord(store, key);
  if (act === 'export') {
    const json = JSON.stringify(record, null, 2);
    if (options.to === null) return print(json);
    writeFileSync(callersPath(options.to), `${json}\n`, { mode: 0o600, flag: 'wx' });
    return print(`Written to ${options.to}.`);
  }
  print(record.isStopped ? 'On the suppression list.' : 'Not on the suppression list.');
  for (const { number, state, item_key } of record.watches)
    print(`watch ${String(number)}: ${String(state)}, ${String(item_key)}`);
  for (const { id, kind, state, reason } of record.messages)
    print(
      `message ${String(id)}: ${String(kind)}, ${String(state)}${reason === null ? '' : `, ${String(reason)}`}`,
    );
  for (const { at, act: what, who, why } of record.acts)
    print(`${new Date(Number(at)).toISOString()} ${String(what)} by ${String(who)}: ${String(why)}`);
}

async function numberRecord(store: AlertStore, key: string) {
  const { sql } = store;
  const contact = (await contactByKey(store, key))?.id ?? null;
  return {
    isStopped: (await sql.get`select 1 from alert_suppression where key = ${key}`) !== undefined,
    consents: await sql.all`select act, item_key, wording_version, wording, at from alert_consent
      where contact_key = ${key} order by id`,
    watches:
      await sql.all`select number, item_key, state, limit_price, booked_price, told, search, created_at, ended_at
      from alert_watch left join alert_search on watch = id where contact = ${contact} order by number`,
    messages:
      await sql.all`select id, kind, channel, state, reason, tries, created_at, settled_at, body from alert_message
      where contact = ${contact} order by id`,
    acts: await sql.all`select at, act, who, why from alert_audit where contact_key = ${key} order by id`,
  };
}

/** Records who did what to a contact, when and why. `key` is null for an act on several contacts. */
async function recordAct(
  { sql }: AlertSession,
  { key, act, who, why, now }: { key: string | null; act: string; who: string; why: string; now: number },
): Promise<void> {
  await sql.run`insert into alert_audit (at, contact_key, act, who, why) values (${now}, ${key}, ${act}, ${who}, ${why})`;
}

/** `suppression add|remove|check <file>`: numbers from a file, one per line. */
export async function bulkSuppression(operation: Operation) {
  const { store, words, options, now, print, fail } = operation;
  const [act, file] = words;
  if ((act !== 'add' && act !== 'remove' && act !== 'check') || file === undefined)
    return fail('Usage: suppression add|remove|check <file>, with one number or email address per line.');
  if (!options.why) return fail("This is audited: give the reason with --why '...'.");
  const lines = readFileSync(callersPath(file), 'utf8').split(/\r?\n/);
  const dry: BulkAct = options['dry-run'] ? 'check' : act;
  const warning = act === 'remove' ? ' They may get messages again.' : '';
  const question = `This will ${act} the numbers of ${lines.length} lines.${warning}`;
  if (dry !== 'check' && !(await isAgreed(operation, question))) return;
  await store.transact((tx) =>
    recordAct(tx, {
      key: null,
      act: `suppression ${dry}, ${lines.length} lines`,
      who: whoActs(operation),
      why: options.why ?? '',
      now,
    }),
  );
  const report = await suppressInBulk(store, dry, lines, now, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${lines.length} lines`);
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  const changed = { add: 'added', remove: 'removed', check: 'on the list' }[dry];
  print(`${report.changed} ${changed}, ${report.unchanged} ${dry === 'check' ? 'not on it' : 'unchanged'}.`);
  if (report.wrongLines.length === 0) return;
  fail(
    report.wrongLines
      .map((line) => `${file}:${line}: neither a UK phone number nor an email address`)
      .join('\n'),
  );
}

/** `erase`: deletes everything about a number. */
export async function erase(operation: Operation) {
  const { store, words, print, fail } = operation;
  if (contactKeyOf(store.keys, words.join(' ')) === null) return fail(INVALID);
  if (!(await isAgreed(operation, `This erases everything about ${words.join(' ')}, for good.`))) return;
  const erasure = await eraseNumber(store, words.join(' '));
  switch (erasure.kind) {
    case 'erased':
      print(
        `Erased, with ${plural(erasure.watches, 'watch', 'watches')} and ${plural(erasure.messages, 'message', 'messages')}.`,
      );
      if (!erasure.isOverwritten)
        print(
          "Another program is reading the store's journal, which still contains the contact, encrypted. A running server overwrites it within a minute after that program ends; without a server, run this again.",
        );
      break;
    case 'unknown':
      print('This number is unknown.');
      break;
    case 'invalid':
      fail(INVALID);
  }
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
