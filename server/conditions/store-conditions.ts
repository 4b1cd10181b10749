import type { AlertMetrics } from '../alerts/status/alert-metrics.ts';
import type { StateSources } from '../feed/provider-states.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { ALERTS_PAUSED } from './alerts-paused.ts';
import { BACKUP_FAILED } from './backup-failed.ts';
import { BACKUP_LATE } from './backup-late.ts';
import { type Condition, type Finding, problemsOf } from './condition.ts';
import { FEED_CHANGES_MISSING } from './feed-changes-missing.ts';
import { FEED_EMPTY } from './feed-empty.ts';
import { FEED_FAILED } from './feed-failed.ts';
import { FEED_HELD } from './feed-held.ts';
import { FEED_LATE } from './feed-late.ts';
import { FEED_MISSING } from './feed-missing.ts';
import { FEED_SAME } from './feed-same.ts';
import { MESSAGES_LATE } from './messages-late.ts';
import { NOTHING_ON_SALE } from './nothing-on-sale.ts';
import { PRICE_MODELS_OLD } from './price-models-old.ts';
import { PRICES_DIFFER } from './prices-differ.ts';
import { PRICES_QUARANTINED } from './prices-quarantined.ts';
import type { StoreFacts } from './store-facts.ts';
import { type StoreView, storeView } from './store-view.ts';
import { TEMPLATE_REJECTED } from './template-rejected.ts';

/** The conditions of feeds, packages and backups. */
export const FEED_CONDITIONS: readonly Condition<StoreView, StoreFacts>[] = [
  NOTHING_ON_SALE,
  FEED_HELD,
  FEED_FAILED,
  FEED_MISSING,
  FEED_LATE,
  FEED_EMPTY,
  FEED_CHANGES_MISSING,
  FEED_SAME,
  PRICES_QUARANTINED,
  PRICES_DIFFER,
  PRICE_MODELS_OLD,
  BACKUP_FAILED,
  BACKUP_LATE,
];

/** The conditions of price alerts. */
export const ALERT_CONDITIONS: readonly Condition<StoreView, AlertMetrics>[] = [
  ALERTS_PAUSED,
  TEMPLATE_REJECTED,
  MESSAGES_LATE,
];

export const STORE_CONDITIONS: readonly Condition<StoreView>[] = [...FEED_CONDITIONS, ...ALERT_CONDITIONS];

/** As `conditionsOfStore`, in lines for commands. */
export async function conditionLines(...args: Parameters<typeof conditionsOfStore>): Promise<string[]> {
  return (await conditionsOfStore(...args)).map(
    ({ level, summary, remedy }) => `${level}: ${summary} ${remedy}`,
  );
}

/** What is wrong as far as the store shows. Throws if the store does not respond. */
export async function conditionsOfStore(
  database: SqlDatabase,
  sources: StateSources,
  conditions: readonly Condition<StoreView>[] = STORE_CONDITIONS,
): Promise<Finding[]> {
  const problems = await problemsOf(conditions, await storeView(database, sources));
  // Without the list of providers, nothing else is known about feeds.
  const isKnown = ({ key }: Finding) => !/^feed (failed|missing|late|empty) /.test(key);
  return sources.providers === null ? problems.filter(isKnown) : problems;
}
