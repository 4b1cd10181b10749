import type { PackageQuestion } from './package-repository.ts';

/** Days of departure times lengths of stay that take a few milliseconds at most. */
const NARROW = 7;

/** Lengths of stay that a question without one is taken to have. */
const USUAL_STAYS = 4;

/** Whether a question walks so much of the store that no other should wait for it. */
export function isWide({ firstDay, lastDay, nights }: PackageQuestion): boolean {
  return (lastDay - firstDay + 1) * (nights === null ? USUAL_STAYS : 1) > NARROW;
}
