import type { Party } from '../../domain/party.ts';

/**
 * Explains the ages of children and infants; null for adults alone. Providers set the age limit of children. Airlines
 * count travellers under 2 on the way home as infants.
 */
export function agesNote({ children, infants }: Party): string | null {
  if (children + infants === 0) return null;
  const under2 = 'Infants are under 2 on the day they fly home.';
  if (children === 0) return under2;
  const limit = 'Each provider has its own age limit for child prices, and asks for ages before you book.';
  return infants === 0 ? limit : `${limit} ${under2}`;
}
