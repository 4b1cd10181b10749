/** What a day of prices adds to the logarithm of the price, and the number of prices that it was learned from. */
export interface DayEffect {
  effect: number;
  prices: number;
}

/** The effects of the days of prices by day, oldest first. */
export type DaySeries = ReadonlyMap<number, DayEffect>;

/** How many days after the newest one are forecast. A later day has the effect of the last of them. */
export const FORECAST_DAYS = 14;

/** The days whose mean stands for later days if nothing forecasts better. */
const LEVEL_DAYS = 3;

/** From this change from one day to another, as a natural logarithm, a provider or the whole market has stepped. */
export const STEP = 0.05;

/** The longest cycle, in days, that is looked for: it must be seen twice in four weeks. */
const LONGEST_CYCLE = 14;

/** A rule needs at least so many past forecasts, and at most this share of the level's squared error, to be preferred. */
const MIN_FORECASTS = 10;
const MAX_ERROR_SHARE = 0.5;

/** A mean error of the level below this, as a natural logarithm, is left as it is. */
const NOTABLE_ERROR = 0.01;

/** A day with less than this share of the usual number of prices is not known yet. */
const MIN_PRICES_SHARE = 0.25;

/** Forecasts the effect of a day from those up to the newest day; null if the days that it needs have no prices. */
type ForecastRule = (series: DaySeries, newest: number, day: number) => number | null;

/**
 * The effects of the days after `today`. A market or a provider may keep its level, step, or cycle in any number of days:
 * whichever rule would have forecast the known days best is used.
 */
export function dayForecasts(all: DaySeries, today: number): number[] {
  const series = wholeDays(all);
  const newest = Math.max(...series.keys());
  const rule = bestRule(series);
  return Array.from({ length: FORECAST_DAYS }, (_, index) => {
    const day = today + 1 + index;
    return rule(series, newest, day) ?? level(LEVEL_DAYS)(series, newest, day) ?? 0;
  });
}

function bestRule(series: DaySeries): ForecastRule {
  const usual = level(LEVEL_DAYS);
  const rules = [level(1), ...Array.from({ length: LONGEST_CYCLE - 1 }, (_, index) => cycle(index + 2))];
  let best = { rule: usual, share: MAX_ERROR_SHARE };
  for (const rule of rules) {
    const share = errorShare(series, rule, usual);
    if (share < best.share) best = { rule, share };
  }
  return best.rule;
}

/**
 * The squared error of a rule relative to the usual one's, on the days that it would have forecast; 1 if it cannot tell, or
 * if the newest day is a step from its forecast.
 */
function errorShare(series: DaySeries, rule: ForecastRule, usual: ForecastRule): number {
  let [forecasts, squared, usualSquared, last] = [0, 0, 0, 0];
  let newest: number | null = null;
  for (const [day, { effect }] of series) {
    const [forecast, expected] =
      newest === null ? [null, null] : [rule(series, newest, day), usual(series, newest, day)];
    newest = day;
    if (forecast === null || expected === null) continue;
    last = Math.abs(forecast - effect);
    forecasts += 1;
    squared += (forecast - effect) ** 2;
    usualSquared += (expected - effect) ** 2;
  }
  const isNotable = usualSquared > forecasts * NOTABLE_ERROR ** 2;
  return forecasts >= MIN_FORECASTS && isNotable && last < STEP ? squared / usualSquared : 1;
}

/** The mean of the newest days, without those before a step. */
function level(days: number): ForecastRule {
  return (series, newest) => {
    const last = series.get(newest);
    const isLikeLast = (day: DayEffect | undefined) =>
      day !== undefined && last !== undefined && Math.abs(day.effect - last.effect) < STEP;
    return meanOf(Array.from({ length: days }, (_, index) => series.get(newest - index)).filter(isLikeLast));
  };
}

/** The mean of the last two days at the same place of a cycle. */
function cycle(length: number): ForecastRule {
  return (series, newest, day) => {
    const last = day - length * Math.ceil((day - newest) / length);
    return series.has(last) ? meanOf([series.get(last), series.get(last - length)]) : null;
  };
}

function meanOf(days: readonly (DayEffect | undefined)[]): number | null {
  let [sum, prices] = [0, 0];
  for (const day of days) {
    if (day === undefined) continue;
    sum += day.effect * day.prices;
    prices += day.prices;
  }
  return prices === 0 ? null : sum / prices;
}

function wholeDays(series: DaySeries): DaySeries {
  const counts = [...series.values()].map(({ prices }) => prices).toSorted((one, other) => one - other);
  const usual = counts[counts.length >> 1] ?? 0;
  return new Map([...series].filter(([, { prices }]) => prices >= usual * MIN_PRICES_SHARE));
}
