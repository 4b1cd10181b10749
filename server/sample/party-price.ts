import { FLIGHT_SHARE, nightsFactor } from './market-price.ts';

/** A child's seat: the fare without Air Passenger Duty, which those under 16 do not pay. */
const CHILD_SEAT = 0.93;

/** What the first and second child in a room of two adults pay of an adult's share of the hotel. */
const CHILD_BEDS = [0.5, 0.6];

/** A hotel's terms for rooms with others than two adults. */
export interface PartyTerms {
  /** The single supplement, as a share of an adult's share of the hotel. */
  singleSupplement: number;
  /** Whether the first child travels free: neither seat nor bed is charged. */
  isChildFree: boolean;
}

/**
 * A party's price relative to each of two adults sharing. An adult pays a seat, which costs the same for
 * every stay, and half a room.
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
