import { createHash } from 'node:crypto';
import { machine, worldAfter } from './machine.ts';

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
  'calls fail': 0.12,
  'calls are limited': 0.08,
  'calls hang': 0.04,
  'responses are lost': 0.08,
  'webhooks are late': 0.1,
  // The machine and the operators.
  'import dies': 0.25,
  'server dies': 0.12,
  'server dies with a message': 0.06,
  'server stops': 0.05,
  'disk is full': 0.03,
  'store is locked': 0.06,
  'notices fail': 0.05,
  rollback: 0.06,
  'prices are accepted': 0.15,
  'clock jumps': 0.04,
  'settings change': 0.04,
  'a provider is unlisted': 0.03,
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
  'clock jumps': [MINUTE_MS, 2 * DAY_MS],
  'disk is full': [MINUTE_MS, 5 * 60 * MINUTE_MS],
};
const USUAL: readonly [number, number] = [5 * MINUTE_MS, 6 * 60 * MINUTE_MS];

/** The faults that the shrinker leaves out, and those that were drawn, as `<day> <fault> <where>`. */
export const skipped = new Set<string>();
export const drawn = new Set<string>();

/**
 * Whether a fault happens on this day, by its rate. Chance depends on the seed and the fault's name alone, so that
 * leaving out one fault leaves the others as they are.
 */
export function happens(fault: FaultName, where = ''): boolean {
  const name = `${Math.floor(machine.steady / DAY_MS)} ${fault} ${where}`.trim();
  if (luck(name, 'happens') >= RATES[fault]) return false;
  drawn.add(name);
  return !skipped.has(name);
}

export function durationOf(fault: FaultName, where = ''): number {
  const [least, most] = DURATIONS[fault] ?? USUAL;
  return least * (most / least) ** luck(`${Math.floor(machine.steady / DAY_MS)} ${fault} ${where}`, 'lasts');
}

/** Lets a fault begin at some time of this day, if it happens, and end after its duration. */
export function during(
  fault: FaultName,
  where: string,
  begin: () => unknown,
  end: () => unknown = () => {},
): void {
  if (!happens(fault, where)) return;
  const ms = durationOf(fault, where);
  worldAfter(luck(`${fault} ${where} ${ms}`, 'begins') * DAY_MS, () => {
    begin();
    worldAfter(ms, end);
  });
}

function luck(name: string, what: string): number {
  return createHash('sha256').update(`${machine.seed} ${name} ${what}`).digest().readUInt32LE() / 2 ** 32;
}

export const chance = (share: number) => machine.random() < share;
export const between = (least: number, most: number) => least + machine.random() * (most - least);
export const pick = <T>(items: readonly T[]): T => items[Math.floor(machine.random() * items.length)] as T;
