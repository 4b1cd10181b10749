import { NOT_UTF8 } from './feed-text.ts';

/**
 * What is known about the last cell of a CSV file without a final newline. `cut off`: compared with the rows before it,
 * something is missing. `unknown`: it may be a whole value or the beginning of a longer one.
 */
export type LastCellVerdict = 'whole' | 'cut off' | 'unknown';

/** The form of a CSV file's last column, learned from its complete rows. */
export interface LastColumn {
  add(cell: string): void;
  /** `isQuoted`: the file ends with the cell's closing quote. */
  judge(cell: string, isQuoted: boolean): LastCellVerdict;
}

/** The number of rows that the form is learned from. */
const REMEMBERED = 64;

/** Fewer rows do not prove that a value is whole. */
const ROWS_TO_TRUST = 3;
/** Fewer rows are not enough to refuse a feed. */
const ROWS_TO_REFUSE = 10;

/** An amount with two decimals and any grouping of thousands. No price has more decimals. */
const AMOUNT = /^[\d\s.,£+-]*\d([.,])\d\d$/;
const PART_OF_AMOUNT = /^[\d\s.,£+-]+$/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const LINK = /^https:\/\/[^\s"]+$/;
/** A currency or an airport, which always has three letters. */
const CODE = /^[A-Z]{3}$/;
const DATE = /^(?:\d{4}\D\d\d\D\d\d|\d\d\D\d\d\D\d{4})(?!\d)/;

export function lastColumn(): LastColumn {
  const latest: string[] = [];
  let count = 0;
  return {
    add(cell) {
      latest[count % REMEMBERED] = cell;
      count += 1;
    },
    judge(cell, isQuoted) {
      if (latest.length >= ROWS_TO_REFUSE && isCutOff(cell, latest)) return 'cut off';
      return isWhole(cell, isQuoted, latest) ? 'whole' : 'unknown';
    },
  };
}

/** Whether the cell looks like the beginning of a value like all earlier ones. */
function isCutOff(cell: string, earlier: readonly string[]): boolean {
  const all = (holds: (text: string) => boolean) => earlier.every(holds);
  if (cell.endsWith(NOT_UTF8)) return all((text) => !text.includes(NOT_UTF8));
  if (all((text) => text.startsWith(cell) && text.length > cell.length)) return true;
  if (all(isJsonObject)) return !isJsonObject(cell);
  const mark = decimalMark(earlier[0] ?? '');
  if (mark !== null && all((text) => decimalMark(text) === mark)) {
    return decimalMark(cell) !== mark && PART_OF_AMOUNT.test(cell);
  }
  const [form = '', ...others] = new Set(earlier.map(formOf));
  // Integers have no fixed form: 99 may follow 100.
  return others.length === 0 && !/^9*$/.test(form) && isBeginningOf(formOf(cell), form);
}

/** Whether nothing can be missing, because a longer value would have another form than all earlier ones. */
function isWhole(cell: string, isQuoted: boolean, earlier: readonly string[]): boolean {
  if (isJsonObject(cell)) return true;
  // Only a doubled quote could continue the cell, and numbers and links have none.
  if (isQuoted && (NUMBER.test(cell) || LINK.test(cell))) return true;
  if (earlier.length < ROWS_TO_TRUST) return false;
  const mark = decimalMark(cell);
  if (mark !== null) return earlier.every((text) => decimalMark(text) === mark);
  if (CODE.test(cell)) return earlier.every((text) => CODE.test(text));
  const form = digitsFormOf(cell);
  return DATE.test(cell) && earlier.every((text) => digitsFormOf(text) === form);
}

function decimalMark(text: string): string | null {
  return AMOUNT.exec(text)?.[1] ?? null;
}

function isJsonObject(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isBeginningOf(text: string, whole: string): boolean {
  return text.length < whole.length && whole.startsWith(text);
}

function digitsFormOf(text: string): string {
  return text.replace(/\d/g, '9');
}

function formOf(text: string): string {
  return digitsFormOf(text).replace(/\p{L}/gu, 'a');
}
