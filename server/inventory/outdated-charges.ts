import { addDays, type CalendarDate, daysBetween } from '../../domain/calendar-date.ts';
import type { ChargeRule, ChargeTable } from '../../domain/local-charges.ts';

const MAX_RATE_DAYS = 90;
const RULE_NOTICE_DAYS = 60;

/** What in the tables of charges needs an operator, and what to do about it. */
export interface OutdatedCharges {
  kind: 'rates' | 'rules';
  summary: string;
  remedy: string;
}

/** Exchange rates that are too old, and rules that have ended or soon end without a successor. */
export function outdatedCharges({ rules, rates }: ChargeTable, today: CalendarDate): OutdatedCharges[] {
  const old = Object.entries(rates).filter(([, { date }]) => daysBetween(date, today) > MAX_RATE_DAYS);
  const last = addDays(today, RULE_NOTICE_DAYS);
  const ending = rules.filter(
    (rule) => rule.valid[1] <= last && !rules.some((other) => follows(other, rule)),
  );
  return [
    ...outdated(
      'rates',
      `Exchange rates are more than ${MAX_RATE_DAYS} days old`,
      old.map(([currency, { date }]) => `${currency} (${date})`),
      'Put current rates into EXCHANGE_RATES_FILE',
    ),
    ...outdated(
      'rules',
      `Rules of local charges end within ${RULE_NOTICE_DAYS} days`,
      ending.map((rule) => `${rule.name} in ${placeOf(rule)} (${rule.valid[1]})`),
      'Add the rules that follow to LOCAL_CHARGES_FILE',
    ),
  ];
}

function outdated(
  kind: OutdatedCharges['kind'],
  what: string,
  items: readonly string[],
  remedy: string,
): OutdatedCharges[] {
  if (items.length === 0) return [];
  const summary = `${what}: ${[...new Set(items)].join(', ')}.`;
  return [{ kind, summary, remedy: `${remedy}: docs/contracts/local-charges.md.` }];
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
