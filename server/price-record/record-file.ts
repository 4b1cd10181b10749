import { createHash } from 'node:crypto';
import { dayNumber } from '../../domain/calendar-date.ts';
import type { Pence } from '../../domain/money.ts';

/** A verdict that was drawn. Days are YYYY-MM-DD. Null: there was none. */
export interface Verdict {
  /** The ItemKey. */
  package: string;
  /** The provider's price, and what is paid at the hotel on top. The other amounts are totals of both. */
  price: Pence;
  charges: Pence;
  verdict: 'low' | 'typical' | 'high' | 'check' | 'none';
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
}

export const AFTER_DAYS = [7, 14] as const;

/** What became of a verdict within `after` days. */
export interface Outcome {
  drawn: string;
  package: string;
  after: number;
  outcome: 'seen' | 'sold-out' | 'not-seen' | 'departed';
  /** The provider's price when last seen, and the lowest. Null unless it was seen. */
  later: Pence | null;
  lowest: Pence | null;
}

/** A day's file: outcomes of earlier verdicts that are due, then the day's own verdicts. */
export interface RecordFile {
  day: string;
  outcomes: readonly Outcome[];
  verdicts: readonly Verdict[];
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

const COLUMNS =
  'line,drawn,package,price,charges,verdict,low,high,expected,fall,advice,model,median,unchanged,after,outcome,later,lowest,check';

/** What every file says about itself. Scores are fixed here, before there is anything to score. */
const RULES = [
  'Root: SHA-256 of the previous root (64 hexadecimal digits) and this file.',
  'Check: the first 16 digits of SHA-256 of the check before and the line up to its last comma. Before the first line: of the head.',
  'Draw: half at random over the packages on sale that depart after today; half from the first pages of searches for the place, airport, day and nights of packages drawn at random; all by the seed.',
  'Money: pence. price is the provider’s, charges are paid at the hotel; low, high, expected and median are totals.',
  'fall: the probability that the price is lower 7 days later. advice: book, wait or nothing.',
  'Outcomes: each verdict is settled once after 7 and once after 14 days. later is the last price of those days, lowest their lowest. seen: in the last 3 of them. sold-out: not seen, but others of its provider were. not-seen: nor were others. departed: fewer than 3 days before departure.',
  'Scores: of verdicts drawn in the last 365 days, separately after 7 and 14 days.',
  'coverage: seen, with a band, and later within it.',
  'low, high: seen; low wins if later is higher, high wins if it is lower. Ties are losses. low-rule and high-rule: the same for prices at least 10% below or above their own median. low-margin and high-margin: ours less the rule’s.',
  'brier: the mean square of fall less 1 if later is lower, else 0; sold out is 0.',
  'followed: pence saved by each advice to wait against booking at once; sold out costs a tenth of the price. At 0 or below, advice ends.',
  'Intervals: 95%, percentiles of 1000 resamples of hotels.',
];

const NAMES = COLUMNS.split(',');

function lineText(fields: Readonly<Record<string, string | number | null>>): string {
  return NAMES.slice(0, -1)
    .map((name) => fields[name] ?? '')
    .join(',');
}

function verdictText(day: string, one: Verdict): string {
  return lineText({ ...one, line: 'verdict', drawn: day, fall: one.fall?.toFixed(3) ?? null });
}

function outcomeText(one: Outcome): string {
  return lineText({ ...one, line: 'outcome' });
}

/** The head of a file with its columns, in lines. */
export function headLines({ day, previousDay, previousRoot }: ChainPlace, lines: number): string[] {
  return [
    `# Price record of ${day}, format 1`,
    `# Previous file: ${previousDay ?? 'none'}`,
    `# Previous root: ${previousRoot}`,
    `# Seed: ${seedOf(previousRoot, day)} (SHA-256 of the previous root and the day)`,
    `# Lines: ${lines}`,
    ...RULES.map((rule) => `# ${rule}`),
    COLUMNS,
  ];
}

export function seedOf(previousRoot: string, day: string): string {
  return sha256(previousRoot + day);
}

export function rootOf(previousRoot: string, text: string): string {
  return sha256(previousRoot + text);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The text of a file. */
export function formatFile(place: ChainPlace, { outcomes, verdicts }: RecordFile): string {
  const lines = [...outcomes.map(outcomeText), ...verdicts.map((one) => verdictText(place.day, one))];
  const head = headLines(place, lines.length);
  let check = checkOf('', head.join('\n'));
  const checked = lines.map((line) => {
    check = checkOf(check, line);
    return `${line},${check}`;
  });
  return `${[...head, ...checked].join('\n')}\n`;
}

function checkOf(before: string, line: string): string {
  return sha256(before + line).slice(0, 16);
}

/** A difference from what a file must say, at a line counted from 1. */
export class RecordFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Reads a file at its place in the chain. Throws `RecordFault` at the first line that the place and the lines before it do not imply. */
export function parseFile(text: string, place: ChainPlace): RecordFile {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new RecordFault(lines.length + 1, 'the file does not end with a line break');
  const count = Number(/^# Lines: (\d{1,6})$/.exec(lines[4] ?? '')?.[1]);
  const head = headLines(place, count);
  for (const [nth, expected] of head.entries())
    if (lines[nth] !== expected) throw new RecordFault(nth + 1, `expected "${expected.slice(0, 100)}"`);
  const outcomes: Outcome[] = [];
  const verdicts: Verdict[] = [];
  let check = checkOf('', head.join('\n'));
  for (const [nth, line] of lines.slice(head.length).entries()) {
    const at = head.length + nth + 1;
    const content = line.slice(0, line.lastIndexOf(','));
    check = checkOf(check, content);
    if (line !== `${content},${check}`) throw new RecordFault(at, 'its check differs');
    const read = lineOf(content);
    if (read.kind === 'outcome') outcomes.push(read.outcome);
    else verdicts.push(read.verdict);
    const same = read.kind === 'outcome' ? outcomeText(read.outcome) : verdictText(place.day, read.verdict);
    if (same !== content || (read.kind === 'outcome' && verdicts.length > 0))
      throw new RecordFault(at, 'it is not a line of this format');
  }
  if (lines.length - head.length !== count) throw new RecordFault(lines.length, `expected ${count} lines`);
  return { day: place.day, outcomes, verdicts };
}

/** Reads a file without checking it. */
export function readFileText(day: string, text: string): RecordFile {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => /^(outcome|verdict),/.test(line))
    .map(lineOf);
  return {
    day,
    outcomes: lines.flatMap((line) => (line.kind === 'outcome' ? [line.outcome] : [])),
    verdicts: lines.flatMap((line) => (line.kind === 'verdict' ? [line.verdict] : [])),
  };
}

type Line = { kind: 'outcome'; outcome: Outcome } | { kind: 'verdict'; verdict: Verdict };

function lineOf(content: string): Line {
  const values = content.split(',');
  const fields = Object.fromEntries(NAMES.map((name, at) => [name, values[at] || null]));
  const text = (name: string) => fields[name] ?? '';
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)));
  const whole = (name: string) => Number(text(name));
  const named = { package: text('package') };
  if (text('line') === 'outcome') {
    const [outcome, after] = [text('outcome') as Outcome['outcome'], whole('after')];
    const prices = { later: number('later'), lowest: number('lowest') };
    return { kind: 'outcome', outcome: { drawn: text('drawn'), ...named, after, outcome, ...prices } };
  }
  const verdict = text('verdict') as Verdict['verdict'];
  const band = { low: number('low'), high: number('high'), expected: number('expected') };
  const advice = fields.advice as Verdict['advice'];
  const past = { model: number('model'), median: number('median'), unchanged: whole('unchanged') };
  const paid = { price: whole('price'), charges: whole('charges') };
  return {
    kind: 'verdict',
    verdict: { ...named, ...paid, verdict, ...band, fall: number('fall'), advice, ...past },
  };
}

/** The hotel of an ItemKey, with its provider, and the departure. */
export function packageParts(itemKey: string): { provider: string; hotel: string; departure: number } {
  const [provider = '', hotel = '', , date = ''] = itemKey.split(':');
  return { provider, hotel: `${provider}:${hotel}`, departure: dayNumber(date) };
}
