import { dailyRun, londonDay } from './feed-servers.ts';
import { Violation } from './sale-model.ts';
import type { Provider, World } from './world.ts';

const MINUTE_MS = 60_000;
const GRACE_MS = 10 * MINUTE_MS;

/** A condition that has been true for this many runs, and for this long after its grace, needs a notice. */
const RUNS = 3;
const LATE_MS = 20 * MINUTE_MS;

const HOUR_MS = 60 * MINUTE_MS;
/** How often a notice of a condition that lasts is sent again. */
const REMINDED_MS = 24 * HOUR_MS;

/** Conditions of docs/operations-reference.md by key; the value is the grace in ms. */
export type Conditions = Map<string, number>;

/** Only these are modelled. */
const MODELLED = /^(?:empty|feed (?:held|failed|late|empty|(?:changes )?missing|same) \w+)$/;

/** The conditions that operators have to know about now, with their grace in ms. */
export function conditions({ providers, unlisted }: World, now: number): Conditions {
  const found: Conditions = new Map();
  const isSold = ({ model }: Provider) =>
    [...model.sale().values()].some(({ departs }) => departs > londonDay(now));
  if (!providers.some(isSold)) found.set('empty', 10 * MINUTE_MS);
  for (const provider of providers) {
    const { code, server, model } = provider;
    const { hour, hasChanges, maxAge } = server;
    // Until its packages are withdrawn, the rest is as before.
    if (provider === unlisted && model.sale().size === 0) continue;
    const { goodAt, wholeAt, hasFailed } = model.state();
    if (model.held() !== null) found.set(`feed held ${code}`, 0);
    if (hasFailed) found.set(`feed failed ${code}`, 10 * MINUTE_MS);
    if (goodAt === null) found.set(`feed missing ${code}`, 30 * HOUR_MS);
    if (model.areChangesMissing()) found.set(`feed changes missing ${code}`, 10 * MINUTE_MS);
    if (goodAt === null || wholeAt === null) continue;
    const late = dailyRun(hour, wholeAt, true) + 6 * HOUR_MS;
    const changesLate = hasChanges ? dailyRun(14 + ((hour + 2 / 3) % 1), goodAt, true) + 6 * HOUR_MS : late;
    if (now > Math.min(late, changesLate)) found.set(`feed late ${code}`, 0);
    if (!isSold(provider)) found.set(`feed empty ${code}`, 0);
    const madeAt = model.last()?.madeAt ?? now;
    if (model.seenAt() !== null && now - madeAt > (maxAge ?? 168) * HOUR_MS)
      found.set(`feed same ${code}`, 0);
  }
  return found;
}

/** Compares the notices with what is true. `truth` says what is true now. */
export function noticeModel(truth: () => Conditions) {
  /** When each notice of a condition that lasts was last sent. */
  const notified = new Map<string, number>();
  /** Since when each condition has been as it is, and the runs since. */
  const since = new Map<string, { isTrue: boolean; at: number; runs: number }>();
  let atLook: Conditions = new Map();
  /** A notice that was sent just before a crash may be sent again. */
  const mayRepeat = new Set<string>();
  /** The notices that could not be sent in this run, and those in runs that died before they recorded that. */
  const unsent = new Set<string>();
  const inDoubt = new Set<string>();

  function follow(now: number, conditions: Conditions): void {
    for (const key of new Set([...since.keys(), ...conditions.keys(), ...notified.keys()])) {
      const isTrue = conditions.has(key);
      if (since.get(key)?.isTrue !== isTrue) since.set(key, { isTrue, at: now, runs: 0 });
    }
  }

  return {
    /** At the beginning of a run. */
    look(now: number): void {
      for (const key of unsent) inDoubt.add(key);
      unsent.clear();
      atLook = truth();
      follow(now, atLook);
      // What changed during the last run is first seen by this one.
      for (const one of since.values()) if (one.runs === 0) one.at = now;
    },
    sent(event: string, key: string, at: number): void {
      if (!MODELLED.test(key)) return;
      const now = truth();
      if (event === 'begun') {
        if (!atLook.has(key) && !now.has(key)) throw new Violation(`'${key}' began, but is not true`);
        if (notified.has(key) && !mayRepeat.has(key)) throw new Violation(`'${key}' was sent twice`);
        notified.set(key, at);
      } else if (event === 'lasting') {
        if (!atLook.has(key) && !now.has(key)) throw new Violation(`'${key}' lasts, but is not true`);
        const last = notified.get(key);
        if (last === undefined) throw new Violation(`'${key}' lasts, but never began`);
        if (at - last < REMINDED_MS - HOUR_MS && !mayRepeat.has(key))
          throw new Violation(`'${key}' lasts, and was sent twice`);
        notified.set(key, at);
      } else {
        if (atLook.has(key) && now.has(key)) throw new Violation(`'${key}' is over, but still true`);
        if (!notified.has(key) && !mayRepeat.has(key) && !inDoubt.delete(key))
          throw new Violation(`'${key}' is over, but never began`);
        notified.delete(key);
      }
      mayRepeat.add(key);
    },
    /** At the end of a run. `isSaved`: whether the run could save the state of the notices. */
    ran(now: number, isSaved: boolean): void {
      if (isSaved) mayRepeat.clear();
      unsent.clear();
      // A time in the future is from a clock that was ahead.
      for (const [key, at] of notified) if (atLook.has(key)) notified.set(key, Math.min(at, now));
      for (const one of since.values()) one.runs += 1;
      follow(now, truth());
      for (const [key, one] of since) {
        if (one.runs < RUNS) continue;
        const grace = atLook.get(key) ?? GRACE_MS;
        if (now - one.at < grace + LATE_MS) continue;
        if (one.isTrue && !notified.has(key)) throw new Violation(`'${key}' has been true without a notice`);
        if (one.isTrue && now - (notified.get(key) ?? now) > REMINDED_MS + HOUR_MS)
          throw new Violation(`'${key}' lasts without a reminder`);
        if (!one.isTrue && notified.has(key)) throw new Violation(`'${key}' is over without a notice`);
        if (!one.isTrue) since.delete(key);
      }
    },
    failed(key: string, now: number): void {
      unsent.add(key);
      this.delayed(now);
    },
    /** Nothing was sent, or the clock jumped: what was due is late. */
    delayed(now: number): void {
      for (const one of since.values()) Object.assign(one, { at: Math.min(one.at, now), runs: 0 });
    },
  };
}
