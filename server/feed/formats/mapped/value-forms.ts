import { parseDateTime } from '../../../../domain/date-time.ts';

const PARTS = /(YYYY|YY|MMMM|MMM|MM|M|DD|Do|D|HH|H|mm|ss)/;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAMES =
  'January|February|March|April|May|June|July|August|September|October|November|December'.split('|');

const UNITS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

type Unit = (typeof UNITS)[number];

/** What each part of a form reads, and which text it accepts. */
const READS: Readonly<Record<string, { unit: Unit; text: string }>> = {
  YYYY: { unit: 'year', text: '\\d{4}' },
  YY: { unit: 'year', text: '\\d{2}' },
  MMMM: { unit: 'month', text: MONTH_NAMES.join('|') },
  MMM: { unit: 'month', text: `sept|${MONTHS.join('|')}` },
  MM: { unit: 'month', text: '\\d{2}' },
  M: { unit: 'month', text: '\\d{1,2}' },
  DD: { unit: 'day', text: '\\d{2}' },
  D: { unit: 'day', text: '\\d{1,2}' },
  Do: { unit: 'day', text: '\\d{1,2}(?:st|nd|rd|th)' },
  HH: { unit: 'hour', text: '\\d{2}' },
  H: { unit: 'hour', text: '\\d{1,2}' },
  mm: { unit: 'minute', text: '\\d{2}' },
  ss: { unit: 'second', text: '\\d{2}' },
};

const DAY_MS = 86_400_000;
/** Excel's day 0, for days after February 1900. */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30);

/** Dates written as numbers: the text in ISO 8601 of a number. */
const COUNTED: Readonly<Record<string, (count: number) => string>> = {
  excel: (days) => isoOf(EXCEL_EPOCH + Math.round(days * 86_400) * 1_000, days),
  'epoch-days': (days) => isoOf(days * DAY_MS, days),
  'epoch-seconds': (seconds) => new Date(seconds * 1_000).toISOString(),
  'epoch-milliseconds': (ms) => new Date(ms).toISOString(),
};

/** A day, or with a fraction also the local time. */
function isoOf(ms: number, days: number): string {
  return new Date(ms).toISOString().slice(0, Number.isInteger(days) ? 10 : 19);
}

/** Reads a number of days or seconds. A date and a time in two columns are added. */
function countedReader(toIso: (count: number) => string): (text: string) => string | null {
  return (text) => {
    const count = text
      .trim()
      .split(/ +/)
      .reduce((sum, part) => sum + Number(part.replace(',', '.')), 0);
    // Before 1980 or after 2100, it counts something else.
    try {
      const iso = toIso(count);
      return iso > '1980' && iso < '2100' ? iso : null;
    } catch {
      return null;
    }
  };
}

/**
 * Converts dates from a declared form, such as `DD/MM/YYYY` or `D MMM YYYY HH:mm`, to ISO 8601 without an
 * offset. ISO 8601 with an offset needs no form. Null for other text. Does not check whether the day exists.
 */
export function dateReader(form: string): (text: string) => string | null {
  const counted = Object.hasOwn(COUNTED, form) ? COUNTED[form] : undefined;
  if (counted !== undefined) return countedReader(counted);
  const wanted = form.split(PARTS).map((part) => {
    const read = READS[part];
    return read === undefined ? escaped(part) : `(?<${read.unit}>${read.text})`;
  });
  const expression = new RegExp(`^${wanted.join('')}$`, 'i');
  return (text) => {
    const found = expression.exec(text.trim())?.groups;
    if (found === undefined) return withOffset(text);
    const read = (unit: Unit) => numberOf(found[unit] ?? '0');
    const year = read('year');
    const day = `${year < 100 ? 2000 + year : year}-${twoDigits(read('month'))}-${twoDigits(read('day'))}`;
    if (found.hour === undefined) return day;
    return `${day}T${twoDigits(read('hour'))}:${twoDigits(read('minute'))}:${twoDigits(read('second'))}`;
  };
}

/** Whether a form counts days or seconds, or has one year, month and day; minutes need hours, and seconds minutes. */
export function isDateForm(form: string): boolean {
  if (Object.hasOwn(COUNTED, form)) return true;
  const units = form.split(PARTS).flatMap((part) => READS[part]?.unit ?? []);
  return units.length >= 3 && UNITS.slice(0, units.length).every((unit) => units.includes(unit));
}

/** Parses a number or the name of a month. */
function numberOf(text: string): number {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1 : number;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

function withOffset(text: string): string | null {
  const written = parseDateTime(text);
  return written !== null && /(?:Z|[+-]\d\d:\d\d)$/.test(written) ? written : null;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The number formats that a mapping may declare, shown with one number. */
export const NUMBER_FORMS = ['1234.56', '1,234.56', '1234,56', '1.234,56', '1 234,56'] as const;

export type NumberForm = (typeof NUMBER_FORMS)[number];

const READ: Readonly<Record<NumberForm, RegExp>> = {
  '1234.56': /^-?\d+(?:\.\d+)?$/,
  '1,234.56': /^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/,
  '1234,56': /^-?\d+(?:,\d+)?$/,
  '1.234,56': /^-?\d{1,3}(?:\.\d{3})*(?:,\d+)?$/,
  '1 234,56': /^-?\d{1,3}(?:[ \u00A0\u202F]\d{3})*(?:,\d+)?$/,
};

/** Converts a number from the declared format to digits with a decimal point; null if it does not match. */
export function readNumberForm(text: string, form: NumberForm): string | null {
  const trimmed = text.trim();
  if (!READ[form].test(trimmed)) return null;
  return form.endsWith(',56') ? trimmed.replace(/[.\s]/g, '').replace(',', '.') : trimmed.replaceAll(',', '');
}

/** The placeholder for the value; `*` is the placeholder for any text. */
const VALUE = '{}';
const PLACES = /(\{\}|\*)/;

/**
 * Extracts a value by a pattern of literal text, one `{}` for the value, and `*` for any text: `* - {}
 * nights*` extracts 7 from 'Hotel Sol - 7 nights all inclusive'. Ignores case.
 */
export function patternReader(pattern: string): (text: string) => string | null {
  const [first = '', ...rest] = pattern.split(PLACES);
  let wanted = `^${escaped(first)}`;
  for (let index = 0; index < rest.length; index += 2) {
    const any = rest[index] === VALUE ? '(?<value>.*?)' : '.*?';
    const piece = `${any}${escaped(rest[index + 1] ?? '')}`;
    const isLast = index + 2 === rest.length;
    // A lookahead never tries a second match, so no input is slow.
    wanted += isLast ? `${piece}$` : `(?=(?<piece${index}>${piece}))\\k<piece${index}>`;
  }
  const expression = new RegExp(wanted, 'isu');
  return (text) => expression.exec(text)?.groups?.value?.trim() || null;
}

/** Whether a whole text matches, in which `*` stands for any text. Ignores case. */
export function wildcard(pattern: string): (text: string) => boolean {
  const expression = new RegExp(`^${pattern.split(/\*+/).map(escaped).join('.*?')}$`, 'is');
  return (text) => expression.test(text);
}

/** Whether a pattern has one `{}` and no adjacent placeholders. */
export function isPattern(pattern: string): boolean {
  const pieces = pattern.split(PLACES);
  const places = pieces.filter((_, index) => index % 2 === 1);
  const between = pieces.slice(1, -1).filter((_, index) => index % 2 === 1);
  return places.filter((place) => place === VALUE).length === 1 && between.every((piece) => piece !== '');
}
