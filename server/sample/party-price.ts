import { FLIGHT_SHARE, nightsFactor } from './market-price.ts';

/** A child's seat: the fare without Air Passenger Duty, from which those under 16 are exempt. */
const CHILD_SEAT = 0.93;

/** What the first and the second child in a room of two adults pay of an adult's share of the hotel. */
const CHILD_BEDS = [0.5, 0.6];

/** The terms on which a hotel sells a room to others than two adults. */
export interface PartyTerms {
  /** What somebody alone pays in addition for the room, as a share of an adult's share of the hotel. */
  singleSupplement: number;
  /** Whether the first child travels free: neither seat nor bed is paid for. */
  freeChild: boolean;
}

/**
 * The price of a package for a party, relative to the price of each of two adults sharing. An adult's price consists of
 * a seat, which costs the same for every stay, and of half a room.
 */
export function partyFactor(
  { adults, children }: { adults: number; children: number },
  nights: number,
  { singleSupplement, freeChild }: PartyTerms,
): number {
  const seat = FLIGHT_SHARE / nightsFactor(nights);
  const bed = 1 - seat;
  const alone = adults === 1 && children === 0 ? singleSupplement * bed : 0;
  const beds = CHILD_BEDS.slice(0, children);
  const paid = freeChild ? beds.slice(1) : beds;
  return adults + alone + paid.reduce((total, share) => total + CHILD_SEAT * seat + share * bed, 0);
}
