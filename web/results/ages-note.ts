import type { Party } from '../../domain/party.ts';

/**
 * What 'child' and 'infant' mean in the prices; null without either. Packages are sold by number: each provider sets the
 * age up to which somebody is a child. Airlines count those under 2 on the way home as infants.
 */
export function agesNote({ children, infants }: Party): string | null {
  if (children + infants === 0) return null;
  const under2 = 'Infants are under 2 on the day they fly home.';
  if (children === 0) return under2;
  const limit =
    'Each provider sets the age up to which a child’s price applies, and asks for ages before you book.';
  return infants === 0 ? limit : `${limit} ${under2}`;
}
