import { mapInOrder } from '../lib/map-in-order.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type Attempt, latestAttempts } from './attempts/attempt-table.ts';
import type { FeedOptions } from './feed-job.ts';
import type { FeedWork } from './next-work.ts';
import { readLastImports } from './write/store-notes.ts';

const SHOWN_REASONS = 5;

/** Each provider's packages and its last attempt. */
export async function statusLines(
  database: SqlDatabase,
  { providers }: Pick<FeedOptions, 'providers'>,
): Promise<string[]> {
  const imports = await readLastImports(database);
  const known = await mapInOrder(imports, async ({ provider, last }) => {
    const { at, format, packages, added, changed, removed, refused } = last;
    return [
      `${provider}: ${packages} packages from ${format} at ${at}; ${added} new, ${changed} changed, ${removed} removed, ${refused} rows refused`,
      ...(await lastAttempt(database, provider)),
    ];
  });
  const imported = new Set(imports.map(({ provider }) => provider));
  const others = providers.providers.filter(({ code }) => !imported.has(code));
  const unknown = await mapInOrder(others, async ({ code }) => [
    `${code}: no feed has been imported`,
    ...(await lastAttempt(database, code)),
  ]);
  const lines = [...known, ...unknown].flat();
  return lines.length > 0 ? lines : ['providers.json has no provider.'];
}

async function lastAttempt(database: SqlDatabase, provider: string): Promise<string[]> {
  const [last] = await latestAttempts(database, provider, 1);
  return last === undefined || last.outcome === 'imported' ? [] : [`  ${describeAttempt(last)}`];
}

/** A provider's attempts in detail, the latest first. */
export function attemptLines(attempts: readonly Attempt[]): string[] {
  if (attempts.length === 0) return ['There is no attempt yet.'];
  return attempts.flatMap((attempt) => {
    const { refusals = [], moves = [], reasons = [], counts, difference } = attempt.detail;
    const quarantined = difference?.quarantined ?? 0;
    const rows = counts && `${counts.rows} rows, ${counts.refused} refused`;
    const changes =
      difference &&
      `${difference.added} new, ${difference.changed} changed, ${difference.removed} removed, ${quarantined} quarantined`;
    const counted = [rows, changes].filter((line) => line !== undefined);
    return [
      describeAttempt(attempt),
      ...counted.map((line) => `  ${line}`),
      ...(attempt.outcome === 'held' ? [] : reasons.map((reason) => `  accepted although: ${reason}`)),
      ...refusals.slice(0, SHOWN_REASONS).map(({ reason, count }) => `  ${count} x ${reason}`),
      ...moves
        .slice(0, Math.max(SHOWN_REASONS, quarantined))
        .map((move, nth) => `  ${nth < quarantined ? 'quarantined: ' : ''}${move}`),
    ];
  });
}

function describeAttempt({ startedAt, source, outcome, message }: Attempt): string {
  const at = new Date(startedAt).toISOString();
  return `${at} ${outcome}, from ${source}${message === '' ? '' : `: ${message}`}`;
}

/** What comes next for each provider, the earliest first. */
export function scheduleLines(planned: readonly { code: string; work: FeedWork }[], now: number): string[] {
  if (planned.length === 0) return ['Nothing is scheduled: no provider has a feed with a schedule.'];
  return planned.map(({ code, work }) => {
    const when = work.at <= now ? 'now' : new Date(work.at).toISOString();
    if (work.kind === 'run') return `${code}: fetch its feed, ${when}`;
    if (work.kind === 'changes') return `${code}: fetch its changes, ${when}`;
    if (work.kind === 'reapply') return `${code}: import its stored feed again, ${when}: settings changed`;
    return `${code}: take its packages off sale, ${when}: ${work.why}`;
  });
}
