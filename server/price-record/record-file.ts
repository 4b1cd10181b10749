import { dayNumber } from '../../domain/calendar-date.ts';
import type { Pence } from '../../domain/money.ts';
import { digestOf } from '../lib/digest.ts';

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

/** What a verdict has before it is settled. */
export const UNSETTLED = { after: null, outcome: null, later: null, lowest: null };

/** A file's place in the chain: the day and root of the file before; null for the first. */
export interface ChainPlace {
  day: string;
  previousDay: string | null;
  previousRoot: string;
}

/** The place of the first file, without its day. */
export const FIRST_ROOT = '0'.repeat(64);
export const FIRST_PLACE = { previousDay: null as string | null, previousRoot: FIRST_ROOT };

/** After how many days verdicts are settled, and for how many days outcomes count. */
export const AFTER_DAYS = [7, 14] as const;
export const SCORED_DAYS = 365;

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

export const seedOf = ({ previousRoot, day }: ChainPlace): string => digestOf(previousRoot + day);
export const rootOf = (previousRoot: string, text: string): string => digestOf(previousRoot + text);
export const lineText = (line: RecordLine): string => NAMES.map((name) => line[name] ?? '').join(',');

/** The text of a file: outcomes, then the day's verdicts. */
export function formatFile(place: ChainPlace, lines: readonly RecordLine[], count = lines.length): string {
  const rows = [
    `# Price record of ${place.day}, format 1`,
    `# previous file: ${place.previousDay ?? 'none'}`,
    `# previous root: ${place.previousRoot}`,
    `# seed: ${seedOf(place)}, SHA-256 of the previous root and the day`,
    `# lines: ${count}`,
    ...RULES.map((rule) => `# ${rule}`),
    `${COLUMNS},check`,
  ];
  let check = digestOf(rows.join('\n')).slice(0, 16);
  for (const text of lines.map(lineText)) {
    check = digestOf(check + text).slice(0, 16);
    rows.push(`${text},${check}`);
  }
  return `${rows.join('\n')}\n`;
}

/** A record differs. The message names the file, and the line counted from 1. */
export class RecordFault extends Error {}

/** Reads a file. Throws `RecordFault` at the first line that does not follow from its place and the lines before. */
export function parseFile(text: string, place: ChainPlace): { lines: RecordLine[]; firstLine: number } {
  const rows = text.split('\n');
  const firstLine = rows.findIndex((row) => !row.startsWith('#')) + 2;
  const count = Number(/^# lines: (\d{1,7})$/.exec(rows[4] ?? '')?.[1]);
  const lines = rows.slice(firstLine - 1, -1).map((row) => {
    const values = row.split(',');
    const fields = NAMES.map((name, at) => [name, TEXTS.has(name) ? values[at] || null : number(values[at])]);
    // Safe, because a line of another form has another text.
    return Object.fromEntries(fields) as unknown as RecordLine;
  });
  const wanted = formatFile(place, lines, count).split('\n');
  const differs = wanted.findIndex((row, nth) => row !== rows[nth]);
  if (differs >= 0)
    throw new RecordFault(
      `${place.day}.csv, line ${differs + 1}: expected "${wanted[differs]?.slice(0, 120)}"`,
    );
  if (lines.length !== count)
    throw new RecordFault(`${place.day}.csv, line ${rows.length}: expected ${count} lines`);
  return { lines, firstLine };
}

const number = (text = '') => (text === '' ? null : Number(text));

/** The hotel of an ItemKey, its provider, and the departure. */
export function packageParts(itemKey: string): { provider: string; hotel: string; departure: number } {
  const [provider = '', hotel = '', , date = ''] = itemKey.split(':');
  return { provider, hotel: `${provider}:${hotel}`, departure: dayNumber(date) };
}

/**
 * Follows which outcomes are due: `due` returns the lines, without their outcome, that a file of this day begins
 * with. Add the files in order; outcomes of verdicts before the first are not expected.
 */
export function openVerdicts() {
  let open: { last: number; line: RecordLine }[] = [];
  return {
    due: (day: string): RecordLine[] =>
      open.filter(({ last }) => last < dayNumber(day)).map(({ line }) => line),
    add(day: string, lines: readonly RecordLine[]): void {
      const drawn = dayNumber(day);
      const verdicts = lines.filter(({ after }) => after === null);
      const added = AFTER_DAYS.flatMap((after) =>
        verdicts.map((one) => ({ last: drawn + after, line: { ...one, after } })),
      );
      open = [...open.filter(({ last }) => last >= drawn), ...added];
    },
  };
}
