import { fromDayNumber } from './calendar-date.ts';
import type { Pence } from './money.ts';

/** What a rule charges for. A `none` rule says that nothing is charged. */
export const CHARGE_BASES = ['person night', 'room night', 'person stay', 'stay', 'percent', 'none'] as const;

/** From the first to the last, both included. */
export type Range<T> = readonly [from: T, to: T];

/** A charge payable at the resort: a row of the rule table (docs/contracts/local-charges.md). */
export interface ChargeRule {
  /** The region or resort is '' if the rule applies to all of them: a resort without a region is one in any region. */
  country: string;
  region: string;
  resort: string;
  /** Rules with the same name and currency add up to one charge. */
  name: string;
  per: (typeof CHARGE_BASES)[number];
  /** In ten-thousandths of the currency, or of a percent. The upper end of a range. */
  amount: number;
  /** The lower end of a range; absent if the amount is certain. */
  least?: number;
  /** How a range comes about, such as 'set by each town'. */
  how?: string;
  /** '' for percentages and `none`. */
  currency: string;
  /** In stars and half stars: 4.5 is the 'superior' grade of 4. */
  stars: Range<number>;
  /** Months and days, MM-DD. A season may include New Year. */
  season: Range<string>;
  ages: Range<number>;
  /** The nights of a stay that count; the first is 1. */
  nights: Range<number>;
  /** YYYY-MM-DD. Without a successor, the rule stays in force after its end, as the last known rate. */
  valid: Range<string>;
  /** Where the rule is published, and the day on which it was read. Stores of 0.2.0 have neither. */
  source?: string;
  checkedOn?: string;
}

/** A currency's exchange rate: how many millionths of its unit a pound is worth. */
export interface ExchangeRate {
  perPound: number;
  /** The day of the rate, YYYY-MM-DD. */
  date: string;
}

export interface ChargeTable {
  rules: readonly ChargeRule[];
  /** By currency code. Every rule's currency has one. */
  rates: Readonly<Record<string, ExchangeRate>>;
}

/** What a charge depends on, apart from the place. */
export interface Stay {
  /** The departure day, which is the first night, in days since 1970-01-01. */
  day: number;
  nights: number;
  halfStars: number;
  adults: number;
  children: number;
  infants: number;
}

/** An amount: `fixed` pence, plus `percent` of the package's price, in ten-thousandths of a percent. */
interface ChargeAmount {
  fixed: Pence;
  percent: number;
}

/** A charge for a stay: at most its amount, and at least `least`. */
export interface StayCharge extends ChargeAmount {
  /** The first of the rules that it adds up. */
  rule: ChargeRule;
  /** In ten-thousandths of the currency. */
  local: number;
  least: ChargeAmount;
  /** Whether a night comes after the end of its rule. */
  isLastKnown: boolean;
}

/** Feeds give no ages, so charges assume these. */
const AGES = { adults: 30, children: 10, infants: 1 } as const;

/** The rules for a place: the resort's, else those of its name in any region, else the region's, else the country's. */
export function rulesOfPlace(
  { rules }: ChargeTable,
  place: Pick<ChargeRule, 'country' | 'region' | 'resort'>,
): readonly ChargeRule[] {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const inCountry = rules.filter(({ country }) => isSame(country, place.country));
  const inRegion = inCountry.filter(({ region }) => isSame(region, place.region));
  const ofResort = (one: ChargeRule) => one.resort !== '' && isSame(one.resort, place.resort);
  const levels = [
    inRegion.filter((one) => one.region !== '' && ofResort(one)),
    inCountry.filter((one) => one.region === '' && ofResort(one)),
    inRegion.filter(({ region, resort }) => region !== '' && resort === ''),
    inCountry.filter(({ region, resort }) => region === '' && resort === ''),
  ];
  return levels.find(({ length }) => length > 0) ?? [];
}

/**
 * The charges for a stay under a place's rules. Null (unknown) unless each night has a valid rule for the hotel's
 * stars; that rule may be out of season, for other ages or `none`.
 */
export function chargesOfStay(
  rules: readonly ChargeRule[],
  rates: ChargeTable['rates'],
  stay: Stay,
): StayCharge[] | null {
  const ofStars = rules.filter(({ stars }) => isWithin(stay.halfStars / 2, stars));
  const inForce = ofStars.map((rule) => ({ ...rule, valid: validity(rule, ofStars) }));
  const dates = Array.from({ length: stay.nights }, (_, nth) => fromDayNumber(stay.day + nth));
  if (!dates.every((date) => inForce.some(({ valid }) => isWithin(date, valid)))) return null;
  const sums = new Map<string, { rule: ChargeRule; local: Ends; percent: Ends; isLastKnown: boolean }>();
  for (const [nth, rule] of inForce.entries()) {
    const { name, currency, amount, least = amount, per } = rule;
    const units = unitsOf(rule, stay, dates);
    if (units === 0) continue;
    const key = `${name}\n${currency}`;
    const sum = sums.get(key) ?? { rule, local: [0, 0], percent: [0, 0], isLastKnown: false };
    sums.set(key, sum);
    const ends = per === 'percent' ? sum.percent : sum.local;
    if (per !== 'none') {
      ends[0] += least * units;
      ends[1] += amount * units;
    }
    const [, knownTo] = ofStars[nth]?.valid ?? rule.valid;
    sum.isLastKnown ||= dates.some((date) => date > knownTo && date <= rule.valid[1]);
  }
  return Array.from(sums.values(), ({ rule, local, percent, isLastKnown }) => {
    const ends = ([0, 1] as const).map((end) => ({
      fixed: inPence(local[end], rates[rule.currency]),
      percent: percent[end],
    })) as [ChargeAmount, ChargeAmount];
    return { ...ends[1], rule, local: local[1], least: ends[0], isLastKnown };
  });
}

/** A range's ends, the lower first. */
type Ends = [least: number, most: number];

/** A rule's validity, without an end if no rule of the same name, and no `none`, begins after it. */
function validity({ name, valid: [from, to] }: ChargeRule, rules: readonly ChargeRule[]): Range<string> {
  const isFollowed = rules.some(
    (other) => other.valid[0] > to && (other.name === name || other.per === 'none'),
  );
  return [from, isFollowed ? to : '9999-12-31'];
}

/** An amount for a package at a price, half pennies rounded up. */
export function chargeAt({ fixed, percent }: ChargeAmount, price: Pence): Pence {
  return fixed + Math.floor((price * percent + 500_000) / 1_000_000);
}

/** A charge as the API sends it, in pounds and in its currency (`AdditionalData.LocalChargeParts`). */
export function chargePart(charge: StayCharge, price: Pence, rates: ChargeTable['rates']): object {
  const { local, percent, isLastKnown, rule } = charge;
  const least = chargeAt(charge.least, price);
  const most = chargeAt(charge, price);
  const rate = rates[rule.currency];
  return {
    Name: rule.name,
    Pounds: most / 100,
    ...(least < most && { PoundsFrom: least / 100, How: rule.how }),
    ...(isLastKnown && { IsLastKnown: true }),
    ...(rate !== undefined && {
      Currency: rule.currency,
      Amount: local / 10_000,
      PerPound: rate.perPound / 1_000_000,
      RateDate: rate.date,
    }),
    ...(percent > 0 && { Percent: percent / 10_000 }),
    Source: rule.source,
    CheckedOn: rule.checkedOn,
  };
}

/** Rounds half pennies up. Exact for amounts up to 400,000, even at a rate of a million for a pound. */
function inPence(local: number, rate: ExchangeRate | undefined): Pence {
  return rate === undefined ? 0 : Math.floor((2 * local * 10_000 + rate.perPound) / (2 * rate.perPound));
}

/** How often a rule's amount is due. Rules by stay and percentages apply if the first night is in season. */
function unitsOf(rule: ChargeRule, stay: Stay, dates: readonly string[]): number {
  const isDue = (date: string) => isWithin(date, rule.valid) && isInSeason(date.slice(5), rule.season);
  const first = dates[0] !== undefined && isDue(dates[0]) ? 1 : 0;
  const nights = dates.filter((date, nth) => isWithin(nth + 1, rule.nights) && isDue(date)).length;
  switch (rule.per) {
    case 'person night':
      return nights * payers(rule, stay);
    case 'room night':
      return nights;
    case 'person stay':
      return first * payers(rule, stay);
    case 'stay':
    case 'percent':
      return first;
    case 'none':
      return nights && 1;
  }
}

function payers({ ages }: ChargeRule, stay: Stay): number {
  const kinds = ['adults', 'children', 'infants'] as const;
  return kinds.reduce((sum, kind) => sum + (isWithin(AGES[kind], ages) ? stay[kind] : 0), 0);
}

/** Whether a month and day, MM-DD, is in a season. */
function isInSeason(monthAndDay: string, [from, to]: Range<string>): boolean {
  return from <= to ? isWithin(monthAndDay, [from, to]) : monthAndDay >= from || monthAndDay <= to;
}

function isWithin<T extends number | string>(value: T, [from, to]: Range<T>): boolean {
  return value >= from && value <= to;
}

/** A text that is the same for days on which the same rules are valid, ended and in season. */
export function rulesInForce(rules: readonly ChargeRule[], day: number): string {
  const date = fromDayNumber(day);
  const stateOf = ({ valid: [from, to], season }: ChargeRule) =>
    date < from ? '-' : Number(isInSeason(date.slice(5), season)) + (date > to ? 2 : 0);
  return rules.map(stateOf).join('');
}
