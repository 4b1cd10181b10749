import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { formatWholePounds } from '../../domain/money.ts';
import { partyWords } from '../../domain/party.ts';
import { type CountryPrices, countriesOf, type PlacePrices, regionsUpTo } from '../search/place-prices.ts';
import type { ExploreState } from '../search/use-explore-prices.ts';
import { whenWords } from './departure-span.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

/** What Explore shows. */
export type ExploreView =
  | { kind: 'unasked' | 'loading' | 'failed' | 'too wide' }
  /** `cheapest` costs more than the chosen price; null: there are no packages at any price. */
  | { kind: 'nothing'; words: string; cheapest: PlacePrices | null }
  | { kind: 'countries'; words: string; places: readonly CountryPrices[] }
  | { kind: 'regions'; words: string; places: readonly PlacePrices[] };

/** The view of a choice and its prices. `isWaiting`: the list of airports is still loading. */
export function exploreView(choice: ChosenExplore, prices: ExploreState, isWaiting: boolean): ExploreView {
  if (isWaiting) return { kind: 'loading' };
  if (choice.airport === null) return { kind: 'unasked' };
  if (prices.kind !== 'regions') return { kind: prices.kind };
  const inCountry = choice.country === null ? prices.regions : regionsOf(prices.regions, choice.country);
  const shown = regionsUpTo(inCountry, choice.maxPounds && choice.maxPounds * 100);
  const [cheapest = null] = shown;
  if (cheapest === null) return nothing(choice, inCountry[0] ?? null);
  const from = `${formatWholePounds(cheapest.lowest.total)} for ${partyWords(choice.party)}, ${WITH_CHARGES}`;
  if (choice.country === null) {
    const places = countriesOf(shown);
    return { kind: 'countries', words: `${counted(places, 'country', 'countries')} from ${from}`, places };
  }
  const words = `${cheapest.country}: ${counted(shown, 'region', 'regions')} from ${from}`;
  return { kind: 'regions', words, places: shown };
}

function nothing(choice: ChosenExplore, cheapest: PlacePrices | null): ExploreView {
  const where = choice.country === null ? '' : ` to ${cheapest?.country ?? choice.country}`;
  const from = `from ${choice.airport?.name ?? ''}`;
  if (cheapest === null || choice.maxPounds === null) {
    return { kind: 'nothing', words: `No holidays${where} ${from} ${whenWords(choice.when)}.`, cheapest };
  }
  const limit = formatWholePounds(choice.maxPounds * 100);
  const name = choice.country === null ? cheapest.country : cheapest.region || cheapest.country;
  const price = formatWholePounds(cheapest.lowest.total);
  const words = `No holidays${where} ${from} for ${limit} or less. The cheapest is ${price}, to ${name}.`;
  return { kind: 'nothing', words, cheapest };
}

function regionsOf(regions: readonly PlacePrices[], country: string): readonly PlacePrices[] {
  const wanted = country.toLowerCase();
  return regions.filter((region) => region.country.toLowerCase() === wanted);
}

function counted(places: readonly unknown[], one: string, several: string): string {
  return `${places.length} ${places.length === 1 ? one : several}`;
}
