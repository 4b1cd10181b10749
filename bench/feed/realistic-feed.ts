import { addDays, type CalendarDate, dayNumber } from '../../domain/calendar-date.ts';
import { arrivalsIn, at, clockText, type MarketHotel, mixed, realisticMarket } from './realistic-market.ts';

/**
 * What is different in nearly every row: nothing, the flights, or everything that has a dictionary in the
 * store.
 */
export const UNIQUE = ['nothing', 'flights', 'everything'] as const;

export interface RealisticFeed {
  rows: number;
  seed: number;
  unique: (typeof UNIQUE)[number];
  /** One row in ten costs 2% more. */
  isChanged?: boolean;
  /** The day before the first departures. */
  today: CalendarDate;
}

export type Cell = string | number | boolean | null | undefined;

/** A feed's row: an item's fields, with the JSON texts as objects. */
export interface FeedRow {
  item: Record<string, Cell>;
  hotel: Record<string, Cell>;
  flight: Record<string, Cell>;
  link: string;
  image: string;
}

const HOTELS = 6_000;
const DAYS = 480;
const NIGHTS = [7, 14, 10, 4, 3, 11, 5];
const BOARDS = ['SC', 'BB', 'HB', 'FB', 'AI'];
const PARTIES = [
  [2, 0, 0],
  [2, 0, 0],
  [2, 0, 0],
  [2, 1, 0],
  [2, 2, 0],
  [1, 0, 0],
  [2, 1, 1],
  [4, 0, 0],
] as const;
/** A prime larger than any feed. Steps of this size visit every package once, in mixed order. */
const STEP = 1_073_741_789;

/**
 * The rows of a realistic feed in mixed order: thousands of hotels, weekly flights, long links, stray spaces,
 * mixed case, missing fields, 1% errors and some duplicates. The same seed gives the same rows. The provider
 * is MADE; links lead to www.made.example.
 */
export function* realisticRows({
  rows,
  seed,
  unique,
  isChanged = false,
  today,
}: RealisticFeed): Generator<FeedRow> {
  const market = realisticMarket(seed, HOTELS);
  const space =
    HOTELS * DAYS * market.departures.length * NIGHTS.length * BOARDS.length * market.rooms.length;
  const firstDay = dayNumber(today);
  for (let row = 0; row < rows; row += 1) {
    const noise = mixed(seed + 1, row);
    // One row in two hundred repeats the previous package at a different price.
    const index = row % 200 === 199 ? row - 1 : row;
    let rest = ((index + seed) * STEP) % space;
    const digit = (size: number) => {
      const value = rest % size;
      rest = Math.floor(rest / size);
      return value;
    };
    const nth = digit(HOTELS);
    const known = at(market.hotels, nth);
    const days = 20 + digit(DAYS);
    const day = addDays(today, days);
    const from = at(market.departures, digit(market.departures.length));
    const nights = at(NIGHTS, digit(NIGHTS.length));
    const board = at(BOARDS, digit(BOARDS.length));
    const room = at(market.rooms, digit(market.rooms.length));
    const [adults, children, infants] = at(PARTIES, mixed(index, 5));
    const hotel = unique === 'everything' ? anotherHotel(known, index) : known;
    const { ahead } = arrivalsIn(hotel.place.country);
    const flightOf = (start: string, end: string, on: number, salt: number) => {
      const flight = market.flight(start, end, on, mixed(index, salt) % 3);
      if (unique === 'nothing') return flight;
      const own = mixed(index, salt + 100);
      return {
        ...flight,
        number: `${flight.number.slice(0, 2)}${own % 10_000}`,
        departureMinute: 240 + (Math.floor(own / 10_000) % 1_140),
        minutes: 90 + (mixed(own, salt) % 200),
      };
    };
    const out = flightOf(from, hotel.airport, firstDay + days, 1);
    const back = flightOf(hotel.airport, from, firstDay + days + nights, 2);
    const home = addDays(day, nights);
    const factor = isChanged && mixed(row, 31) % 10 === 0 ? 1.02 : 1;
    const price = factor * (adults + children) * (220 + (mixed(row, 3) % 90_000) / 100 + nights * 31);
    const token = mixed(row, 11).toString(36) + mixed(row, 12).toString(36);
    const search = `from=${from}&to=${hotel.airport}&on=${day}&nights=${nights}&board=${board}&adults=${adults}&children=${children}`;
    const padding = `${token}${token}`.repeat(1 + (noise % 5)).slice(0, noise % 110);
    const link = `https://www.made.example/holidays/${hotel.code.toLowerCase()}/${slugOf(hotel.name)}?${search}&utm_source=feed&utm_medium=cpc&cid=${token}&s=${padding}`;
    const isTold = (chance: number) => mixed(noise, chance) % 100 >= chance;
    const made: FeedRow = {
      link,
      image: hotel.image,
      hotel: {
        HotelName: noisy(hotel.name, noise),
        StarRating: hotel.stars,
        ConsumerRating: isTold(12) ? hotel.rating : null,
        ...(isTold(3) ? { Longitude: hotel.longitude, Latitude: hotel.latitude } : {}),
        ImageUrl: hotel.image,
      },
      flight: {
        DepartureDateTime_Outbound: clockText(day, out.departureMinute, 0),
        ArrivalDateTime_Outbound: clockText(day, out.departureMinute + out.minutes + ahead * 60, ahead),
        ArrivalAirportCode_Outbound: hotel.airport,
        AirlineName_Outbound: out.airline,
        ...(isTold(10) ? { FlightDuration_Outbound: out.minutes * 60 } : {}),
        DepartureDateTime_Inbound: clockText(home, back.departureMinute, ahead),
        ArrivalDateTime_Inbound: clockText(
          home,
          Math.max(0, back.departureMinute + back.minutes - ahead * 60),
          0,
        ),
        ArrivalAirportCode_Inbound: from,
        AirlineName_Inbound: back.airline,
        ...(isTold(10) ? { FlightDuration_Inbound: back.minutes * 60 } : {}),
      },
      item: {
        ItemKey: `MADE-${token}`,
        TotalPrice: Math.round(price * 100) / 100,
        ...(isTold(60) ? { TotalPriceBeforeDiscount: Math.round(price * 1.15) } : {}),
        HolidayCountry: hotel.place.country,
        HolidayRegion: noisy(hotel.place.region, noise >>> 5),
        HolidayResort: noisy(hotel.place.resort, noise >>> 7),
        FlightNumber_Outbound: out.number,
        FlightNumber_Inbound: isTold(4) ? back.number : null,
        DepartureDate: day,
        Duration: nights,
        BoardBasis: noise % 41 === 0 ? board.toLowerCase() : board,
        Brand: 'MADE',
        DepartureAirportCode_Outbound: from,
        DepartureAirportCode_Inbound: hotel.airport,
        FreeChild: false,
        LuggageIncluded: noise % 3,
        HotelIdentifierCode: hotel.code,
        NumberOfAdults: adults,
        NumberOfChildren: children,
        NumberOfInfants: infants,
        Occupancy: `${adults}-${children}-${infants}`,
        RoomCount: 1,
        RoomTypeDescription:
          unique === 'everything' ? `${room} no. ${index}` : isTold(2) ? noisy(room, noise >>> 9) : null,
        Expiry: `${addDays(today, 5 + (noise % 14))}T${noise % 2 === 0 ? '00:00:00' : '23:59:59'}Z`,
      },
    };
    if (mixed(row, 21) % 100 === 0) spoil(made, noise);
    yield made;
  }
}

/** A hotel and an unlisted place that no other row contains. */
function anotherHotel(hotel: MarketHotel, index: number): MarketHotel {
  const place = { ...hotel.place, resort: `${hotel.place.resort} ${Math.floor(index / 2)}` };
  return { ...hotel, code: `${hotel.code}-${index}`, name: `${hotel.name} ${index}`, place };
}

/** Adds typical noise to text: extra spaces, capitals, decomposed accents. */
function noisy(text: string, noise: number): string {
  switch (noise % 60) {
    case 0:
      return ` ${text}`;
    case 1:
      return `${text}  `;
    case 2:
      return text.replace(' ', '  ');
    case 3:
      return text.normalize('NFD');
    case 4:
      return text.toUpperCase();
    default:
      return text;
  }
}

/** Makes one of the errors that are typical of feeds. */
function spoil(row: FeedRow, noise: number): void {
  const wrong: readonly (() => void)[] = [
    () => (row.item.TotalPrice = 9.99),
    () => (row.item.DepartureDate = '2027-02-30'),
    () => (row.item.DepartureAirportCode_Outbound = 'XXX'),
    () => (row.hotel.StarRating = 7),
    () => (row.item.HolidayResort = ''),
    () => (row.link = row.link.replace('www.made.example', 'www.other.example')),
    () => (row.item.Duration = 'seven'),
    () => (row.hotel.HotelName = 'Hotel \u202e Sol'),
  ];
  at(wrong, noise)();
}

function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}
