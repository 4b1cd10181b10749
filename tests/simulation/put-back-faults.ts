import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A fault that Skylark had, or could have: the file, the right text, and the wrong one. */
export interface PutBack {
  about: string;
  /** The violation that it causes. Another one does not count as found. */
  breaks: RegExp;
  file: string;
  right: string;
  wrong: string;
}

export const PUT_BACK: Readonly<Record<string, PutBack>> = {
  'week-off': {
    about: 'After a long stop, packages go off sale before their feed is fetched',
    breaks: /withdrawn after only \d attempts/,
    file: 'server/feed/next-work.ts',
    right: 'if (fetch === null) return withdraw;',
    wrong: 'if (fetch === null || withdraw !== null) return withdraw && { ...withdraw, at: 0 };',
  },
  'over-while-running': {
    about: "A running retry hides that a feed fails, and 'over' is sent",
    breaks: /'feed failed \w+' (?:is over, but still true|has been true without a notice)/,
    file: 'server/conditions/feed-failed.ts',
    right: 'return failure === undefined ?',
    wrong: "return failure === undefined || feed?.last.outcome === 'running' ?",
  },
  'check-revives': {
    about: 'A price check brings back a removed package',
    breaks: /is on sale, and should not be/,
    file: 'server/visits/price-checks.ts',
    right: 'if (read.get(said)?.every((value, nth) => value === now?.[nth]) === true) unchanged.push(said);',
    wrong:
      'if (read.get(said)?.every((value, nth) => value === now?.[nth]) !== false || !now) unchanged.push(said);',
  },
  'own-copy': {
    about: 'A quarantined price is released by its own copy',
    breaks: /is on sale, and should not be|costs \d+, and should cost/,
    file: 'server/feed/write/quarantine.ts',
    right: 'isAgreed && entry.day < day && !isRepeated',
    wrong: 'isAgreed',
  },
  'early-yes': {
    about: 'A YES that was written before the question counts',
    breaks: /is active, and should be asked/,
    file: 'server/alerts/tables/confirmation-requests.ts',
    right: 'return sentAt !== null && writtenAt + SECOND_MS > Number(sentAt);',
    wrong: 'return sentAt !== null && writtenAt > 0;',
  },
  'changes-order': {
    about: 'Changes are applied in the order of their lines',
    breaks: /costs \d+, and should cost|is(?: not)? on sale, and should/,
    file: 'server/feed/write/staging.ts',
    right: 'order by sequence desc, line desc',
    wrong: 'order by line desc',
  },
  'doubled-send': {
    about: 'A message is sent again after a lost response',
    breaks: /gets a second price alert|again, which may have arrived/,
    file: 'server/alerts/delivery/attempt-outcome.ts',
    right: "await moveMessage(tx, message.id, 'unknown', { now, reason: outcome.why });",
    wrong: "await moveMessage(tx, message.id, 'queued', { now, dueAt: now + 60_000, reason: outcome.why });",
  },
  'rollback-now': {
    about: 'A rollback stamps prices as seen now',
    breaks: /was seen later than its file was made/,
    file: 'server/feed/fetch-attempt.ts',
    right: 'earliest === null ?',
    wrong: "source.kind === 'stored' ? now : earliest === null ?",
  },
  'withdrawal-ends-alarm': {
    about: 'Withdrawing a feed ends its own alarm',
    breaks: /'feed (?:failed|late) \w+' is over, but still true/,
    file: 'server/feed/attempts/attempt-table.ts',
    right: 'const wholeSuccess = attempts.find((one) => isSuccessful(one) && !isOfChanges(one));',
    wrong:
      "const wholeSuccess = attempts.find((one) => (isSuccessful(one) || one.outcome === 'withdrawn') && !isOfChanges(one));",
  },
  'missed-run': {
    about: 'A start skips a missed run',
    breaks: /has not been read since it was due/,
    file: 'server/feed/next-work.ts',
    right: 'const scheduled = nextScheduled(feed, schedule, startedAt);',
    wrong: 'const scheduled = nextScheduled(feed, schedule, Math.max(startedAt, now - 12 * 60 * 60_000));',
  },
};

/** Puts a fault into the product's source as it is loaded. Throws if the source has changed. */
export function putBack(name: string): void {
  const fault = PUT_BACK[name];
  if (fault === undefined) throw new Error(`There is no fault ${name}: ${Object.keys(PUT_BACK).join(', ')}`);
  const path = join(import.meta.dirname, '../..', fault.file);
  if (readFileSync(path, 'utf8').split(fault.right).length !== 2)
    throw new Error(`${fault.file} does not have '${fault.right}' once`);
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (url !== pathToFileURL(path).href) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString('utf8');
      return { ...loaded, source: source.replace(fault.right, () => fault.wrong) };
    },
  });
}
