import { todayInLondon } from '../../domain/calendar-date.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import { outdatedCharges } from '../inventory/outdated-charges.ts';
import { type Finding, ok, warn } from './finding.ts';

/** Checks that the exchange rates and the rules of local charges are up to date. */
export function checkCharges(charges: ChargeTable, now: number): Finding[] {
  const outdated = outdatedCharges(charges, todayInLondon(now));
  if (outdated.length === 0) return [ok('The exchange rates and the rules of local charges are up to date.')];
  return outdated.map(({ summary, remedy }) => warn(summary, remedy));
}
