import { machine } from './machine.ts';

/** How often each fault begins, per day: of each provider, of the message provider, or of the whole machine. */
export const RATES = {
  // A provider's server, for the duration of `DURATIONS`.
  'feed down': 0.02,
  'feed hangs': 0.015,
  'feed drips': 0.015,
  'feed refuses': 0.015,
  'feed is HTML': 0.015,
  'feed is cut off': 0.02,
  'feed is the file before': 0.04,
  // A provider's export, until the next one.
  'export stops': 0.012,
  'export is half': 0.02,
  'export in other units': 0.02,
  'export with some wrong prices': 0.06,
  'export with another schema': 0.008,
  'export is only stamped again': 0.03,
  'export loses changes': 0.04,
  // The message provider.
  'calls fail': 0.06,
  'calls are limited': 0.04,
  'calls hang': 0.04,
  'responses are lost': 0.08,
  'webhooks are late': 0.1,
  // The machine and the operators.
  'import dies': 0.25,
  'server dies': 0.12,
  'server stops': 0.05,
  'disk is full': 0.03,
  'store is locked': 0.06,
  'notices fail': 0.05,
  'clock jumps': 0.01,
  rollback: 0.06,
} as const;

export type FaultName = keyof typeof RATES;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The shortest and longest duration, in ms; both ends and what lies between are likely (log-uniform). */
const DURATIONS: Partial<Record<FaultName, readonly [number, number]>> = {
  'feed down': [5 * MINUTE_MS, 10 * DAY_MS],
  'export stops': [DAY_MS, 9 * DAY_MS],
  'server stops': [MINUTE_MS, 12 * DAY_MS],
  'store is locked': [1_000, 120_000],
  'disk is full': [MINUTE_MS, 5 * 60 * MINUTE_MS],
};
const USUAL: readonly [number, number] = [5 * MINUTE_MS, 6 * 60 * MINUTE_MS];

export function durationOf(fault: FaultName): number {
  const [least, most] = DURATIONS[fault] ?? USUAL;
  return least * (most / least) ** machine.random();
}

/** The numbers of the faults that the shrinker leaves out, in the order in which they are drawn. */
export const skipped = new Set<number>();
export const drawn: string[] = [];

/** Whether a fault happens on this day, by its rate. */
export function happens(fault: FaultName, where = ''): boolean {
  if (machine.random() >= RATES[fault]) return false;
  drawn.push(`${fault} ${where}`.trim());
  return !skipped.has(drawn.length - 1);
}

export const chance = (share: number) => machine.random() < share;
export const between = (least: number, most: number) => least + machine.random() * (most - least);
export const pick = <T>(items: readonly T[]): T => items[Math.floor(machine.random() * items.length)] as T;
