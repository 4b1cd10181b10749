import { addDays, type CalendarDate, daysBetween } from '../../domain/calendar-date.ts';
import type { ChargeRule, ChargeTable } from '../../domain/local-charges.ts';

const MAX_RATE_DAYS = 90;
const RULE_NOTICE_DAYS = 60;

/** Names the currencies whose exchange rates are too old; null if there are none. */
export function oldRates({ rates }: Pick<ChargeTable, 'rates'>, today: CalendarDate): string | null {
  const old = Object.entries(rates).filter(([, { date }]) => daysBetween(date, today) > MAX_RATE_DAYS);
  return listed(
    `more than ${MAX_RATE_DAYS} days old`,
    old.map(([currency, { date }]) => `${currency} (${date})`),
  );
}

/** Names the rules that have ended or soon end without a successor; null if there are none. */
export function endingRules({ rules }: Pick<ChargeTable, 'rules'>, today: CalendarDate): string | null {
  const last = addDays(today, RULE_NOTICE_DAYS);
  const ending = rules.filter(
    (rule) => rule.valid[1] <= last && !rules.some((other) => follows(other, rule)),
  );
  return listed(
    `they end within ${RULE_NOTICE_DAYS} days`,
    ending.map((rule) => `${rule.name} in ${placeOf(rule)} (${rule.valid[1]})`),
  );
}

function listed(what: string, items: readonly string[]): string | null {
  return items.length === 0 ? null : `${what}: ${[...new Set(items)].join(', ')}`;
}

/** Whether `other` continues a rule on the day after it ends. */
function follows(other: ChargeRule, rule: ChargeRule): boolean {
  const isSame = (['country', 'region', 'resort', 'name'] as const).every((key) => other[key] === rule[key]);
  const hasStars = other.stars[0] <= rule.stars[1] && rule.stars[0] <= other.stars[1];
  return isSame && hasStars && other.valid[0] <= addDays(rule.valid[1], 1) && other.valid[1] > rule.valid[1];
}

function placeOf({ country, region, resort }: ChargeRule): string {
  return [resort, region, country].filter((name) => name !== '').join(', ');
}
