import { kindOf, type WaitOutcome } from '../../domain/book-or-wait.ts';
import { dayNumber } from '../../domain/calendar-date.ts';
import { AFTER_DAYS, type Outcome, packageParts, type RecordFile, type Verdict } from './record-file.ts';

export interface SettledVerdict {
  drawn: string;
  verdict: Verdict;
  outcome: Outcome;
}

/** A verdict whose outcome the next file must have. */
export interface DueVerdict {
  drawn: string;
  verdict: Verdict;
  after: number;
}

interface DrawnDay {
  verdicts: ReadonlyMap<string, Verdict>;
  /** The numbers of days after which outcomes are still due. */
  open: number[];
}

/** Walks through the files in order, and joins verdicts with their outcomes. */
export function recordWalk(): {
  /** The outcomes that a file of this day must have, in its order: those of days before it. */
  due(day: string): DueVerdict[];
  /** Returns the verdicts that the file settles. Ignores outcomes of verdicts before the first file. */
  add(file: RecordFile): SettledVerdict[];
} {
  const drawnDays = new Map<string, DrawnDay>();
  const isDue = (drawn: string, after: number, day: string) => dayNumber(drawn) + after < dayNumber(day);

  return {
    due: (day) =>
      [...drawnDays].flatMap(([drawn, { verdicts, open }]) =>
        open
          .filter((after) => isDue(drawn, after, day))
          .flatMap((after) => [...verdicts.values()].map((verdict) => ({ drawn, verdict, after }))),
      ),
    add({ day, outcomes, verdicts }) {
      const settled = outcomes.flatMap((outcome) => {
        const verdict = drawnDays.get(outcome.drawn)?.verdicts.get(outcome.package);
        return verdict === undefined ? [] : [{ drawn: outcome.drawn, verdict, outcome }];
      });
      for (const [drawn, one] of drawnDays) {
        one.open = one.open.filter((after) => !isDue(drawn, after, day));
        if (one.open.length === 0) drawnDays.delete(drawn);
      }
      drawnDays.set(day, {
        verdicts: new Map(verdicts.map((one) => [one.package, one])),
        open: [...AFTER_DAYS],
      });
      return settled;
    },
  };
}

/** What waiting a week saved. A package that sold out costs a tenth of its price. Null if nobody knows. */
export function waitOutcome({ drawn, verdict, outcome }: SettledVerdict): WaitOutcome | null {
  const saved = savedBy(verdict, outcome);
  const { price, charges, median, unchanged: daysUnchanged } = verdict;
  if (saved === null || median === null) return null;
  const { hotel, departure } = packageParts(verdict.package);
  const situation = { price: price + charges, median, daysUnchanged };
  const daysToDeparture = departure - dayNumber(drawn);
  return { kind: kindOf({ ...situation, daysToDeparture }), hotel, price: price + charges, saved };
}

export function savedBy({ price, charges }: Verdict, { after, outcome, later }: Outcome): number | null {
  if (after !== 7) return null;
  if (outcome === 'seen' && later !== null) return price - later;
  return outcome === 'sold-out' ? -Math.round((price + charges) / 10) : null;
}
