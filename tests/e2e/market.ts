import { addDays, dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { OfferRow, ReferenceData } from '../../server/storage/inventory.ts';
import { openInventoryWriter } from '../../server/storage/open-inventory-writer.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';

/**
 * A market small enough to know by heart. Benidorm has 23 hotels, whose prices, stars and departure times
 * rise and fall in different orders; Malia has one hotel; Paphos has none. Every day of the next 60 has the
 * same packages, of 7 and of 10 nights, from Gatwick, Luton and Manchester.
 */
export const BENIDORM_HOTELS = 23;
export const TODAY = todayInLondon(Date.now());

/** Pounds for two adults, 7 nights, from Gatwick; Luton asks £20 more, Manchester £50 more. */
export function benidormPrice(hotel: number): number {
  return 400 + ((hotel * 7) % BENIDORM_HOTELS) * 25;
}

export function benidormName(hotel: number): string {
  return `Hotel Brisa ${String(hotel).padStart(2, '0')}`;
}

/** Hotel numbers of Benidorm, cheapest first: the order that 'Recommended' shows. */
export const BENIDORM_BY_PRICE = Array.from({ length: BENIDORM_HOTELS }, (_, index) => index + 1).sort(
  (one, other) => benidormPrice(one) - benidormPrice(other),
);

const DAYS = 60;
const NIGHTS = [7, 10];
const AIRPORTS = [
  { id: 1, extraPounds: 0 },
  { id: 2, extraPounds: 20 },
  { id: 3, extraPounds: 50 },
];
const SPAIN = { country: 1, region: 1, resort: 1 };
const GREECE = { country: 2, region: 2, resort: 2 };

const REFERENCE: ReferenceData = {
  countries: [
    { id: 1, name: 'Spain' },
    { id: 2, name: 'Greece' },
  ],
  regions: [
    { id: 1, country: 1, name: 'Costa Blanca' },
    { id: 2, country: 2, name: 'Crete' },
  ],
  resorts: [
    { id: 1, region: 1, name: 'Benidorm' },
    { id: 2, region: 2, name: 'Malia' },
  ],
  airports: [
    { id: 1, code: 'LGW', name: 'London Gatwick', timezone: 'Europe/London' },
    { id: 2, code: 'LTN', name: 'London Luton', timezone: 'Europe/London' },
    { id: 3, code: 'MAN', name: 'Manchester', timezone: 'Europe/London' },
    { id: 4, code: 'ALC', name: 'Alicante', timezone: 'Europe/Madrid' },
    { id: 5, code: 'HER', name: 'Heraklion', timezone: 'Europe/Athens' },
  ],
  providers: [
    {
      id: 1,
      code: 'SUN',
      name: 'Sunward',
      linkTemplate: 'https://www.sunward.example/holidays/{hotel}?from={airport}&date={date}&nights={nights}',
    },
  ],
  hotels: [
    ...Array.from({ length: BENIDORM_HOTELS }, (_, index) => ({
      id: index + 1,
      code: `BEN${index + 1}`,
      provider: null,
      name: benidormName(index + 1),
      resort: 1,
      halfStars: 4 + ((index + 1) % 7),
      consumerRating: 8.1,
      latitude: 38.54,
      longitude: -0.13,
    })),
    {
      id: 100,
      code: 'MAL1',
      provider: null,
      name: 'Malia Kyma',
      resort: 2,
      halfStars: 7,
      consumerRating: null,
      latitude: 35.28,
      longitude: 25.46,
    },
  ],
  flights: AIRPORTS.flatMap(({ id }) => [
    flight(id * 10 + 1, `SK${id}01`, id, 4, 6 * 60 + id * 30, 155),
    flight(id * 10 + 2, `SK${id}02`, 4, id, 14 * 60, 160),
    flight(id * 10 + 3, `SK${id}03`, id, 5, 7 * 60, 235),
    flight(id * 10 + 4, `SK${id}04`, 5, id, 15 * 60, 240),
  ]),
  boards: [
    { id: 1, code: 'HB' },
    { id: 2, code: 'AI' },
  ],
  rooms: [{ id: 1, code: 'DBL', description: 'Double room' }],
  parties: [{ id: 1, adults: 2, children: 0, infants: 0 }],
};

function flight(
  id: number,
  number: string,
  origin: number,
  destination: number,
  minute: number,
  minutes: number,
) {
  return {
    id,
    number,
    airline: 'Skylark Test Air',
    origin,
    destination,
    departureMinute: minute,
    durationSeconds: minutes * 60,
  };
}

/** Writes the market into a new data folder. */
export async function stockMarket(dataDir: string): Promise<void> {
  const writer = await openInventoryWriter(embeddedStore(dataDir));
  await writer.replaceReference(REFERENCE);
  const seenAt = Math.floor(Date.now() / 60_000);
  for (let ahead = 1; ahead <= DAYS; ahead += 1) {
    await writer.writeOffers(offersOfDay(dayNumber(addDays(TODAY, ahead)), seenAt));
  }
  await writer.close();
}

function offersOfDay(day: number, seenAt: number): OfferRow[] {
  return NIGHTS.flatMap((nights) => [...benidorm(day, nights, seenAt), ...malia(day, nights, seenAt)]);
}

function benidorm(day: number, nights: number, seenAt: number): OfferRow[] {
  return AIRPORTS.flatMap(({ id, extraPounds }) =>
    Array.from({ length: BENIDORM_HOTELS }, (_, index): OfferRow => {
      const hotel = index + 1;
      const pounds = benidormPrice(hotel) + extraPounds + (nights - 7) * 30;
      const halfStars = 4 + (hotel % 7);
      return offer(day, nights, SPAIN, id, hotel, pounds, halfStars, id * 10 + 1, seenAt);
    }),
  );
}

function malia(day: number, nights: number, seenAt: number): OfferRow[] {
  return AIRPORTS.map(({ id, extraPounds }) =>
    offer(day, nights, GREECE, id, 100, 612 + extraPounds, 7, id * 10 + 3, seenAt),
  );
}

function offer(
  day: number,
  nights: number,
  place: { country: number; region: number; resort: number },
  airport: number,
  hotel: number,
  pounds: number,
  halfStars: number,
  outboundFlight: number,
  seenAt: number,
): OfferRow {
  const departureMinute = REFERENCE.flights.find(({ id }) => id === outboundFlight)?.departureMinute ?? 0;
  return [
    day,
    nights,
    1,
    place.country,
    place.region,
    place.resort,
    airport,
    hotel,
    1 + (hotel % 2),
    1,
    1,
    pounds * 100,
    null,
    halfStars,
    departureMinute,
    outboundFlight,
    outboundFlight + 1,
    hotel % 2,
    day * 24 * 60,
    seenAt,
    null,
  ];
}
