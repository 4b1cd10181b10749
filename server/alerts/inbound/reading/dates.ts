import type { CalendarDate } from '../../../../domain/calendar-date.ts';
import { MONTH_NAMES } from '../../../../domain/day-words.ts';

const MONTHS = MONTH_NAMES.map((name) => name.toLowerCase());
const MONTH = `(${MONTHS.flatMap((name) => [name, name.slice(0, 3)]).join('|')}|sept)`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';

const NUMERIC = /(?<![\d£$€.:/-])(\d{1,2})([/.-])(0?[1-9]|1[0-2])(?:\2(?:\d{4}|\d{2}))?(?![\d/.:-]*\d)/g;
const ROUND_THE_CLOCK = '24/7';

/** '14/05/2027' as '14 may'. */
export function spellOutDates(text: string): string {
  return text.replace(NUMERIC, (date, day: string, _separator, month: string) =>
    date === ROUND_THE_CLOCK || Number(day) > 31 ? date : `${day} ${MONTHS[Number(month) - 1]}`,
  );
}

/** A named date: a day ('the 14th'), a day and month, or a month. */
interface NamedDate {
  /** The sentence with a mark in place of the date. */
  text: string;
  isOn(date: CalendarDate): boolean;
}

/** 'May' alone counts as a month only before a noun, or after an article or a preposition. */
const FORMS = [
  { form: new RegExp(`\\b${DAY} (?:of )?${MONTH}(?: \\d{4})?\\b`), day: 1, month: 2 },
  { form: new RegExp(`\\b${MONTH} (?:the )?${DAY}(?: \\d{4})?\\b`), day: 2, month: 1 },
  { form: /(?<=\b(?:the|on) )(\d{1,2})(?:st|nd|rd|th)\b/, day: 1, month: null },
  { form: new RegExp(`(?<=\\b(?:the|my|in|for|from|of) )${MONTH}\\b`), day: null, month: 1 },
  {
    form: new RegExp(`\\b${MONTH}(?= (?:one|ones|alert|alerts|holiday|trip|deal)\\b)`),
    day: null,
    month: 1,
  },
];

/** Finds the date in a sentence; null if there is none. */
export function findDate(sentence: string, mark: string): NamedDate | null {
  for (const { form, day, month } of FORMS) {
    const found = form.exec(sentence);
    if (found === null) continue;
    const dayOf = day === null ? null : Number(found[day]);
    const monthOf =
      month === null
        ? null
        : 1 + MONTHS.findIndex((name) => name.startsWith((found[month] ?? '').slice(0, 3)));
    return {
      text: sentence.replace(form, mark),
      isOn: (date) =>
        (dayOf === null || Number(date.slice(8)) === dayOf) &&
        (monthOf === null || Number(date.slice(5, 7)) === monthOf),
    };
  }
  return null;
}
