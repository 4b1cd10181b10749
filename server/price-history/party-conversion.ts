import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { partyFactor } from './model/hedonic-model.ts';
import type { PriceModels } from './model/model-table.ts';
import { faresOf } from './model/price-traits.ts';

/**
 * The factor that converts another hotel's price for another party to the party and the room of an offer; null if the model
 * knows too little of either.
 */
export type ConvertParty = (
  offer: OfferRow,
  other: { hotel: number; party: number; room: number },
) => number | null;

/** Converts prices by the effects of parties and rooms in the model; null without a model. */
export function partyConversion(models: PriceModels | null, catalogue: Catalogue): ConvertParty | null {
  const hedonic = models?.hedonic ?? null;
  if (hedonic === null) return null;
  const faresOfId = (party: number) => faresOf(recordOf(catalogue.parties, party));
  return (offer, { hotel, party, room }) => {
    const nights = offer[OFFER.nights];
    const own = offer[OFFER.party];
    return partyFactor(
      hedonic,
      { hotel, nights, party: own, room: offer[OFFER.room], fares: faresOfId(own) },
      { hotel, nights, party, room, fares: faresOfId(party) },
    );
  };
}
