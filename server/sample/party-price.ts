import { FLIGHT_SHARE, nightsFactor } from './market-price.ts';

/** A child's seat, as a share of an adult's fare. Under-16s do not pay Air Passenger Duty. */
const CHILD_SEAT = 0.93;

/** What the first and second child pay in a room of two adults, as shares of an adult's part. */
const CHILD_BEDS = [0.5, 0.6];

/** A hotel's terms for rooms that are not for two adults. */
export interface PartyTerms {
  /** The single supplement, as a share of an adult's part of the hotel's price. */
  singleSupplement: number;
  /** Whether the first child travels free: it pays for neither seat nor bed. */
  isChildFree: boolean;
}

/**
 * A party's price as a multiple of what each of two adults who share pays. An adult pays for a seat, which
 * costs the same for every stay, and for half a room.
 */
export function partyFactor(
  { adults, children }: { adults: number; children: number },
  nights: number,
  { singleSupplement, isChildFree }: PartyTerms,
): number {
  const seat = FLIGHT_SHARE / nightsFactor(nights);
  const bed = 1 - seat;
  const alone = adults === 1 && children === 0 ? singleSupplement * bed : 0;
  const beds = CHILD_BEDS.slice(0, children);
  const paid = isChildFree ? beds.slice(1) : beds;
  return adults + alone + paid.reduce((total, share) => total + CHILD_SEAT * seat + share * bed, 0);
}
