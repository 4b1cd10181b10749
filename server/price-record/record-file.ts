import { createHash } from 'node:crypto';
import { dayNumber } from '../../domain/calendar-date.ts';
import type { Pence } from '../../domain/money.ts';

/** A verdict as it was drawn and, if `after` is not null, what became of it. Days are YYYY-MM-DD. */
export interface RecordLine {
  drawn: string;
  /** The ItemKey. */
  package: string;
  /** The provider's price, and what is paid at the hotel on top. Other amounts of the verdict are totals of both. */
  price: Pence;
  charges: Pence;
  verdict: 'low' | 'typical' | 'high' | 'check' | null;
  low: Pence | null;
  high: Pence | null;
  expected: Pence | null;
  /** The probability that the price is lower a week later. */
  fall: number | null;
  advice: 'book' | 'wait' | null;
  model: number | null;
  /** The median of the package's own prices, and for how many days its price has not changed. */
  median: Pence | null;
  unchanged: number;
  after: number | null;
  outcome: 'seen' | 'sold-out' | 'not-seen' | 'departed' | null;
  /** The provider's last and lowest price of the days after; null unless it was seen. */
  later: Pence | null;
  lowest: Pence | null;
}

/** A file's place in the chain. */
export interface ChainPlace {
  day: string;
  /** The day of the file before; null for the first. */
  previousDay: string | null;
  previousRoot: string;
}

/** The root before the first file. */
export const FIRST_ROOT = '0'.repeat(64);

/** After how many days verdicts are settled. */
export const AFTER_DAYS = [7, 14] as const;

const COLUMNS =
  'drawn,package,price,charges,verdict,low,high,expected,fall,advice,model,median,unchanged,after,outcome,later,lowest';
const NAMES = COLUMNS.split(',') as (keyof RecordLine)[];
const TEXTS: ReadonlySet<string> = new Set(['drawn', 'package', 'verdict', 'advice', 'outcome']);

/** What every file says about itself, so that scores are fixed before there is anything to score. */
const RULES = [
  'root: SHA-256 of the previous root (64 hexadecimal digits) and this file.',
  'check: the first 16 digits of SHA-256 of the check before it and the line up to its last comma. The first one follows the check of the lines above.',
  'draw: half at random over the packages on sale that depart after today; half from the first pages of searches for the place, airport, day and nights of packages drawn at random. The seed decides.',
  'money: pence. price is the provider’s, charges are paid at the hotel. low, high, expected and median are totals.',
  'fall: the probability that the price is lower 7 days later. advice: book, wait or nothing.',
  'outcomes: lines with after repeat a verdict once after 7 days and once after 14. later is the last price of those days, lowest the lowest. seen: in the last 3 of them. sold-out: not seen, though others of its provider were. not-seen: nor were others. departed: not seen, at most 2 days before departure.',
  'scores: of outcomes published in the last 365 days, separately after 7 and 14 days.',
  'coverage: of those seen and with a band, the share with later in the band.',
  'low, high: of those seen, the share of Low verdicts with later above price, and of High ones with later below. Ties are losses. low-rule, high-rule: the same for totals at least 10% below or above the median. low-margin, high-margin: ours less the rule’s.',
  'brier: the mean square of fall less 1 if later is below price, else 0. Sold out is 0.',
  'followed: pence saved by advice to wait 7 days against booking at once. Sold out costs a tenth of the total. Advice ends while the sum is 0 or less.',
  'intervals: 95%, percentiles of 1000 resamples of hotels.',
];

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function seedOf({ previousRoot, day }: ChainPlace): string {
  return sha256(previousRoot + day);
}

export function rootOf(previousRoot: string, text: string): string {
  return sha256(previousRoot + text);
}

function checkOf(before: string, line: string): string {
  return sha256(before + line).slice(0, 16);
}

function headOf(place: ChainPlace, lines: number): string[] {
  return [
    `# Price record of ${place.day}, format 1`,
    `# previous file: ${place.previousDay ?? 'none'}`,
    `# previous root: ${place.previousRoot}`,
    `# seed: ${seedOf(place)}, SHA-256 of the previous root and the day`,
    `# lines: ${lines}`,
    ...RULES.map((rule) => `# ${rule}`),
    `${COLUMNS},check`,
  ];
}

export function lineText(line: RecordLine): string {
  return NAMES.map((name) => line[name] ?? '').join(',');
}

/** The text of a file: outcomes, then the day's verdicts. */
export function formatFile(place: ChainPlace, lines: readonly RecordLine[]): string {
  const head = headOf(place, lines.length);
  let check = checkOf('', head.join('\n'));
  const checked = lines.map(lineText).map((text) => {
    check = checkOf(check, text);
    return `${text},${check}`;
  });
  return `${[...head, ...checked].join('\n')}\n`;
}

/** A file differs, at a line counted from 1. */
export class RecordFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Reads a file. Throws `RecordFault` at the first line that does not follow from its place and the lines before. */
export function parseFile(text: string, place: ChainPlace): { lines: RecordLine[]; firstLine: number } {
  const rows = text.split('\n');
  if (rows.pop() !== '') throw new RecordFault(rows.length + 1, 'the line has no end');
  const count = Number(/^# lines: (\d{1,7})$/.exec(rows[4] ?? '')?.[1]);
  const head = headOf(place, count);
  for (const [nth, wanted] of head.entries())
    if (rows[nth] !== wanted) throw new RecordFault(nth + 1, `expected "${wanted.slice(0, 120)}"`);
  let check = checkOf('', head.join('\n'));
  const lines = rows.slice(head.length).map((row, nth) => {
    const content = row.slice(0, row.lastIndexOf(','));
    check = checkOf(check, content);
    const values = content.split(',');
    const fields = NAMES.map((name, at) => [name, fieldOf(name, values[at] || null)]);
    // Safe, because a line of another form has another text.
    const line = Object.fromEntries(fields) as unknown as RecordLine;
    if (row !== `${content},${check}` || lineText(line) !== content)
      throw new RecordFault(head.length + nth + 1, 'the line differs from its check');
    return line;
  });
  if (lines.length !== count) throw new RecordFault(rows.length + 1, `expected ${count} lines`);
  return { lines, firstLine: head.length + 1 };
}

function fieldOf(name: string, value: string | null): string | number | null {
  return value === null || TEXTS.has(name) ? value : Number(value);
}

/** The hotel of an ItemKey, its provider, and the departure. */
export function packageParts(itemKey: string): { provider: string; hotel: string; departure: number } {
  const [provider = '', hotel = '', , date = ''] = itemKey.split(':');
  return { provider, hotel: `${provider}:${hotel}`, departure: dayNumber(date) };
}

/** Follows which outcomes are due. Add the files in order; outcomes of verdicts before the first are not expected. */
export function openVerdicts(): {
  /** The lines, without their outcome, that a file of this day begins with: of days before it. */
  due(day: string): RecordLine[];
  add(day: string, lines: readonly RecordLine[]): void;
} {
  let open: { after: number; verdicts: RecordLine[]; drawn: number }[] = [];
  const isDue = (day: string) => (one: (typeof open)[number]) => one.drawn + one.after < dayNumber(day);
  return {
    due: (day) =>
      open.filter(isDue(day)).flatMap(({ after, verdicts }) => verdicts.map((one) => ({ ...one, after }))),
    add(day, lines) {
      const verdicts = lines.filter(({ after }) => after === null);
      const drawn = dayNumber(day);
      open = open.filter((one) => !isDue(day)(one));
      open.push(...AFTER_DAYS.map((after) => ({ after, verdicts, drawn })));
    },
  };
}
