import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { SendingPrices } from '../alerts/delivery/send-context.ts';
import { alertKeys } from '../alerts/keys/alert-keys.ts';
import { alertMetrics } from '../alerts/status/alert-metrics.ts';
import { alertReport } from '../alerts/status/alert-report.ts';
import { alertStore } from '../alerts/tables/alert-store.ts';
import { noticesAfter } from '../alerts/tables/notices.ts';
import { conditionsOfStore } from '../conditions/store-conditions.ts';
import { readStoreFacts } from '../conditions/store-facts.ts';
import { latestAttempts, readFeedStates } from '../feed/attempts/attempt-table.ts';
import type { FeedSettings } from '../feed/feed-settings.ts';
import { attemptLines, scheduleLines } from '../feed/feed-status.ts';
import { plannedWork } from '../feed/next-work.ts';
import { readOpenNotices } from '../notices/notice-state.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

/** What operators see on /admin and from `npm run admin -- show`. */
export type AdminFacts = Awaited<ReturnType<typeof readAdminFacts>>;

export interface AdminWorkerApi {
  read(): Promise<AdminFacts>;
}

export interface AdminSources {
  /** Null: providers.json or another setting is invalid. */
  feeds: Pick<FeedSettings, 'providers' | 'dataDir'> | null;
  feedLateMs: number;
  prices: SendingPrices;
  now: number;
}

const MAX_ATTEMPTS = 5;
const MAX_DAYS = 30;
const MAX_NOTICES = 10;

/** Takes seconds over millions of packages, so it runs in a worker. */
export async function readAdminFacts(
  database: SqlDatabase,
  store: StoreAddress,
  { feeds, feedLateMs, prices, now }: AdminSources,
) {
  const providers = feeds?.providers.exists ? feeds.providers.providers : null;
  const sources = { now, feedLateMs, providers };
  const open = await readOpenNotices(database);
  // Reading needs no valid key.
  const alerts = alertStore(database, alertKeys(new Uint8Array(32)));
  return {
    at: now,
    store: await readStoreFacts(database, store, sources),
    replicas: store.kind === 'postgresql' ? store.readUrls.length : null,
    feeds: await Promise.all(
      (await readFeedStates(database)).map(async ({ provider, pendingReview }) => ({
        provider,
        /** The feed that waits for a decision, identified by its attempt. */
        pendingReview: pendingReview && { attempt: pendingReview.id, message: pendingReview.message },
        attempts: attemptLines(await latestAttempts(database, provider, MAX_ATTEMPTS)),
      })),
    ),
    /** The providers whose feeds can be run. */
    runnable: (providers ?? []).filter(({ feed }) => feed !== null).map(({ code }) => code),
    schedule: feeds === null ? [] : scheduleLines(await plannedWork(database, { ...feeds, now }), now),
    inventory: await inventoryByMonth(database),
    /** `since` is when a notice first recorded the problem; null if none has. */
    problems: (await conditionsOfStore(database, sources)).map(({ key, title, text }) => ({
      key,
      title,
      text,
      since: open.get(key)?.since ?? null,
      silentUntil: open.get(key)?.silentUntil ?? null,
    })),
    alerts: await alertMetrics(alerts, now),
    /** Messages sent and their cost, newest day first. */
    days: (await alertReport(alerts, prices)).days.slice(0, MAX_DAYS),
    alertNotices: (await noticesAfter(alerts, 0)).slice(-MAX_NOTICES).toReversed(),
  };
}

/** Packages by provider and month of departure (YYYY-MM), in that order. */
async function inventoryByMonth({
  sql,
}: SqlDatabase): Promise<{ provider: string; month: string; packages: number }[]> {
  const counts = new Map<string, number>();
  const days =
    await sql.all`select coalesce(provider.code, '?') as code, departure_day as day, count(*) as packages
    from offer left join provider on provider.id = offer.provider group by provider.code, departure_day`;
  for (const { code, day, packages } of days) {
    const key = `${String(code)} ${fromDayNumber(Number(day)).slice(0, 7)}`;
    counts.set(key, (counts.get(key) ?? 0) + Number(packages));
  }
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, packages]) => {
      const [provider = '', month = ''] = key.split(' ');
      return { provider, month, packages };
    });
}
