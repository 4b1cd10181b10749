import type { ComparablePackage } from '../../../domain/similar-package.ts';

/** A resort's full name, because several regions may have a resort of the same name. */
export function resortKey({
  country,
  region,
  resort,
}: Pick<ComparablePackage, 'country' | 'region' | 'resort'>): string {
  return `${country}/${region}/${resort}`;
}
