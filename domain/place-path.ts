import type { DestinationTuple } from './destination.ts';
import { slugOf } from './hotel-path.ts';

/** The path of a place's page: `/holidays/spain/costa-blanca/benidorm`; with a month, '/2027-05' at the end. */
export function placePath(place: DestinationTuple, month: string | null = null): string {
  const names = place.filter((name) => name !== '').map(slugOf);
  return ['/holidays', ...names, ...(month === null ? [] : [month])].join('/');
}
