import { addDays, type CalendarDate, dayNumber } from './calendar-date.ts';
import { easterHolidays, easterSunday } from './school-holidays.ts';
import type { UkNation } from './uk-nation.ts';

/** A period of unusual demand, with its first and last day. */
export interface UkHoliday {
  name: string;
  first: CalendarDate;
  last: CalendarDate;
}

/**
 * Bank holidays that a proclamation adds or moves. When GOV.UK announces one
 * (https://www.gov.uk/bank-holidays), add a line.
 */
const PROCLAIMED: readonly { name: string; day: CalendarDate; nations: readonly UkNation[] }[] = [
  { name: 'World Cup bank holiday', day: '2026-06-15', nations: ['scotland'] },
];

const known = new Map<string, readonly UkHoliday[]>();

/**
 * The holiday of a departure day, in the nation of its airport, or null. A school holiday takes precedence
 * over a bank holiday. docs/price-analysis.md has the sources, and explains how to update them.
 */
export function ukHoliday(date: CalendarDate, nation: UkNation): UkHoliday | null {
  const year = Number(date.slice(0, 4));
  for (const start of [year, year - 1]) {
    const found = holidaysOf(start, nation).find(({ first, last }) => first <= date && date <= last);
    if (found !== undefined) return found;
  }
  return null;
}

/** The holidays that begin in a year, school holidays first. */
function holidaysOf(year: number, nation: UkNation): readonly UkHoliday[] {
  const name = `${nation}/${year}`;
  const holidays = known.get(name) ?? [
    ...SCHOOL_HOLIDAYS[nation](year, easterSunday(year)),
    ...bankHolidays(year, nation),
  ];
  known.set(name, holidays);
  return holidays;
}

/**
 * The usual weeks of state schools. Each starts on the Saturday before, when the first families leave, and
 * ends on the Friday. docs/price-analysis.md compares them with published dates.
 */
const SCHOOL_HOLIDAYS: Readonly<Record<UkNation, (year: number, easter: CalendarDate) => UkHoliday[]>> = {
  'england-wales': (year, easter) => [
    period('February half-term', ...week(mondayFrom(`${year}-02-12`))),
    period('Easter holidays', ...easterHolidays(easter)),
    period('May half-term', ...week(mondayFrom(`${year}-05-25`))),
    period('Summer holidays', `${year}-07-20`, `${year}-08-31`),
    period('October half-term', ...week(mondayFrom(`${year}-10-22`))),
    period('Christmas holidays', `${year}-12-18`, `${year + 1}-01-03`),
  ],
  scotland: (year, easter) => [
    period('February mid-term', ...week(mondayFrom(`${year}-02-10`))),
    period('Easter holidays', ...easterHolidays(easter)),
    period('Summer holidays', `${year}-06-26`, `${year}-08-14`),
    period(
      'October holidays',
      addDays(mondayFrom(`${year}-10-10`), -2),
      addDays(mondayFrom(`${year}-10-10`), 11),
    ),
    period('Christmas holidays', `${year}-12-21`, `${year + 1}-01-04`),
  ],
  'northern-ireland': (year, easter) => [
    period('February mid-term', ...week(mondayFrom(`${year}-02-12`))),
    period('Easter holidays', addDays(easter, -4), addDays(easter, 7)),
    period('Summer holidays', `${year}-07-01`, `${year}-08-31`),
    period('Halloween holidays', ...week(mondayFrom(`${year}-10-26`))),
    period('Christmas holidays', `${year}-12-20`, `${year + 1}-01-03`),
  ],
};

/**
 * Bank holidays under the Banking and Financial Dealings Act 1971, each with its long weekend. Excludes those
 * inside school holidays.
 */
function bankHolidays(year: number, nation: UkNation): UkHoliday[] {
  const longWeekend = (name: string, monday: CalendarDate) => period(name, addDays(monday, -3), monday);
  const shared = [
    longWeekend('Early May bank holiday', mondayFrom(`${year}-05-01`)),
    longWeekend('Spring bank holiday', mondayFrom(`${year}-05-25`)),
  ];
  const own: Record<UkNation, () => UkHoliday[]> = {
    'england-wales': () => [],
    scotland: () => [
      longWeekend('Summer bank holiday', mondayFrom(`${year}-08-01`)),
      aroundDay('St Andrew’s Day', `${year}-11-30`),
    ],
    'northern-ireland': () => [aroundDay('St Patrick’s Day', `${year}-03-17`)],
  };
  const proclaimed = PROCLAIMED.filter(
    ({ day, nations }) => day.startsWith(`${year}-`) && nations.includes(nation),
  );
  return [...shared, ...own[nation](), ...proclaimed.map(({ name, day }) => aroundDay(name, day))];
}

/** A bank holiday on a fixed date, with its long weekend, if any. A weekend date moves to the next Monday. */
function aroundDay(name: string, day: CalendarDate): UkHoliday {
  const weekday = weekdayOf(day);
  if (weekday === 0 || weekday === 6) return aroundDay(name, mondayFrom(day));
  if (weekday === 1) return period(name, addDays(day, -3), day);
  return weekday === 5 ? period(name, addDays(day, -1), addDays(day, 2)) : period(name, day, day);
}

function week(monday: CalendarDate): [CalendarDate, CalendarDate] {
  return [addDays(monday, -2), addDays(monday, 4)];
}

function period(name: string, first: CalendarDate, last: CalendarDate): UkHoliday {
  return { name, first, last };
}

function mondayFrom(date: CalendarDate): CalendarDate {
  return addDays(date, (8 - weekdayOf(date)) % 7);
}

/** 0 is Sunday. 1 January 1970, day 0, was a Thursday. */
function weekdayOf(date: CalendarDate): number {
  return (dayNumber(date) + 4) % 7;
}
