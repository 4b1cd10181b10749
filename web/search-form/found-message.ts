import { lazy } from '../../domain/lazy.ts';

/** The singular and plural of what a list contains: 'destination', 'destinations'. */
export interface FoundNoun {
  one: string;
  many: string;
}

const count = lazy(() => new Intl.NumberFormat('en-GB'));

/** '312 destinations found, first 50 shown.' */
export function foundMessage(total: number, listed: number, { one, many }: FoundNoun): string {
  if (total === 0) return `No ${many} found.`;
  const found = `${count().format(total)} ${total === 1 ? one : many} found`;
  return listed < total ? `${found}, first ${listed} shown.` : `${found}.`;
}
