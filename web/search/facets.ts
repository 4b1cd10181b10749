import * as v from 'valibot';
import { foldText } from '../../domain/fold-text.ts';
import type { FlightLeg, PackageHoliday } from '../../domain/package-holiday.ts';
import { REFINE_KEYS, type Refine, type RefineKey, withRefine } from '../../domain/refinements.ts';

const count = v.pipe(v.number(), v.integer());
const Named = v.array(v.object({ value: v.string(), name: v.string(), count }));
const Thresholds = v.array(v.object({ from: v.number(), count }));
const Times = v.array(v.object({ from: v.string(), to: v.string(), count }));

/** The options of each filter with their counts over all results (`docs/contracts/graphql.md`). */
const FacetsSchema = v.object({
  prices: v.array(v.object({ from: v.number(), to: v.number(), count })),
  boards: Named,
  airports: Named,
  airlines: Named,
  providers: Named,
  stars: Thresholds,
  guestRatings: Thresholds,
  outboundTimes: Times,
  inboundTimes: Times,
  bags: count,
  freeChild: count,
});

/** Facets as the server sent them; null if they are missing or malformed. */
export function readFacets(sent: unknown): Facets | null {
  const parsed = v.safeParse(FacetsSchema, sent);
  return parsed.success ? parsed.output : null;
}

export type Facets = v.InferOutput<typeof FacetsSchema>;

const LEVELS = { minstars: [1, 2, 3, 4, 5], rating: [5, 6, 7, 8, 9] };
const TIMES = ['00:00-05:59', '06:00-11:59', '12:00-17:59', '18:00-23:59'];
const PRICE_RANGES = 20;

/** Whether a package passes a filter with these values, for servers that do not filter by it. */
const PASSES: Record<RefineKey, (holiday: PackageHoliday, values: readonly string[]) => boolean> = {
  price: ({ PriceDetails }, [range = '']) => {
    const [from = 0, to = 0] = range.split('-').map(Number);
    return PriceDetails.TotalPrice >= from && PriceDetails.TotalPrice <= to;
  },
  boards: ({ BoardBasis }, boards) => boards.includes(BoardBasis),
  minstars: ({ HotelDetails }, [least]) => (HotelDetails.StarRating ?? 0) >= Number(least),
  rating: ({ HotelDetails }, [least]) => ratingOfTen(HotelDetails.ConsumerRating) >= Number(least),
  out: ({ FlightDetails }, [range]) => departsDuring(FlightDetails.Outbound, range),
  back: ({ FlightDetails }, [range]) => departsDuring(FlightDetails.Inbound, range),
  airports: (holiday, airports) => airports.includes(airportOf(holiday)),
  airlines: (holiday, airlines) => airlines.includes(airlineOf(holiday)),
  providers: ({ Brand }, providers) => providers.includes(Brand),
  bags: ({ Bags }) => Bags !== null && Bags > 0,
  freechild: ({ FreeChild }) => FreeChild,
  hotelcode: ({ HotelDetails }, [code]) => HotelDetails.HotelIdentifierCode === code,
  hotel: ({ HotelDetails }, [text = '']) => foldText(HotelDetails.HotelName).includes(foldText(text)),
};

/** The packages that pass all filters. */
export function filterPackages(packages: readonly PackageHoliday[], refine: Refine): PackageHoliday[] {
  return packages.filter((holiday) =>
    REFINE_KEYS.every((key) => refine[key] === undefined || PASSES[key](holiday, refine[key])),
  );
}

/** Counts the options of each filter over loaded packages, as the API's `facets` do over all packages. */
export function countFacets(packages: readonly PackageHoliday[], refine: Refine): Facets {
  const others = (key: RefineKey) => filterPackages(packages, withRefine(refine, key, []));
  const count = (key: RefineKey, value: string) =>
    others(key).filter((holiday) => PASSES[key](holiday, [value])).length;
  const named = (key: RefineKey, read: (holiday: PackageHoliday) => string) =>
    [...new Set([...others(key).map(read), ...(refine[key] ?? [])])]
      .filter((value) => value !== '')
      .map((value) => ({ value, name: value, count: count(key, value) }))
      .sort((one, other) => other.count - one.count);
  const levels = (key: 'minstars' | 'rating') =>
    LEVELS[key].map((from) => ({ from, count: count(key, String(from)) }));
  const times = (key: 'out' | 'back') =>
    TIMES.map((range) => ({ from: range.slice(0, 5), to: range.slice(6), count: count(key, range) }));
  return {
    prices: priceRanges(others('price').map(({ PriceDetails }) => PriceDetails.TotalPrice)),
    boards: named('boards', ({ BoardBasis }) => BoardBasis),
    airports: named('airports', airportOf),
    airlines: named('airlines', airlineOf),
    providers: named('providers', ({ Brand }) => Brand),
    stars: levels('minstars'),
    guestRatings: levels('rating'),
    outboundTimes: times('out'),
    inboundTimes: times('back'),
    bags: count('bags', '1'),
    freeChild: count('freechild', '1'),
  };
}

function priceRanges(pounds: readonly number[]): Facets['prices'] {
  if (pounds.length === 0) return [];
  const least = Math.floor(Math.min(...pounds));
  const width = Math.floor((Math.max(...pounds) - least) / PRICE_RANGES) + 1;
  return Array.from({ length: PRICE_RANGES }, (_, nth) => {
    const [from, to] = [least + nth * width, least + (nth + 1) * width];
    return { from, to, count: pounds.filter((price) => price >= from && price < to).length };
  });
}

function departsDuring({ DepartureDateTime }: FlightLeg, range = ''): boolean {
  const [from = '', to = ''] = range.split('-');
  const time = DepartureDateTime.slice(11, 16);
  if (time === '') return false;
  return from <= to ? time >= from && time <= to : time >= from || time <= to;
}

/** Some servers rate out of 100. */
function ratingOfTen(rating: number | null): number {
  return rating !== null && rating > 10 ? rating / 10 : (rating ?? 0);
}

function airportOf({ FlightDetails }: PackageHoliday): string {
  return FlightDetails.Outbound.DepartureAirportCode;
}

function airlineOf({ FlightDetails }: PackageHoliday): string {
  return FlightDetails.Outbound.AirlineName;
}
