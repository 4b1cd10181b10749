import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HotelFacts, isSameHotel } from './same-hotel.ts';

/** One degree of latitude in metres. */
const DEGREE = 111_195;

function hotel(name: string, changes: Partial<HotelFacts> = {}, metresNorth = 0): HotelFacts {
  const latitude = 38.5341 + metresNorth / DEGREE;
  const places = ['Spain', 'Costa Blanca', 'Benidorm'];
  return { name, places, latitude, longitude: -0.1312, halfStars: 8, sharedCode: null, ...changes };
}

/** Spellings of one hotel, as tour operators and search sites write it. */
const SAME: [string, string, string?][] = [
  ['Riu Palace Tres Islas', 'Hotel Riu Palace Tres Islas'],
  ['Meliá Benidorm', 'Melia Benidorm Hotel'],
  ['H10 Tindaya', 'Hotel H-10 Tindaya'],
  ['Iberostar Selection Lanzarote Park', 'IBEROSTAR Selection - Lanzarote Park'],
  ['Lopesan Costa Meloneras Resort & Spa', 'Lopesan Costa Meloneras Resort and Spa'],
  ['Barceló Castillo Beach Resort', 'Barcelo Castillo Beach Resort 4*'],
  ['Gran Hotel Bahía del Duque', 'Bahia del Duque Gran Hotel'],
  ['Aparthotel Monarque Sultán', 'Monarque Sultan Apart-Hotel'],
  ['Apartamentos Sol y Vera', 'Sol y Vera Apartments'],
  ['Hesperia Lanzarote (ex. Hesperia Playa Dorada)', 'Hesperia Lanzarote'],
  ['Gran Hotel Bali', 'Gran Bali, Benidorm'],
  ['Rixos Premium Belek', 'Rixos Premium Belek - All Inclusive'],
  ['Titanic Mardan Palace', 'Titanic Mardan Palace Hotel'],
  ['Falcon Club Hotel', 'Club Hotel Falcon'],
  ['Crystal Sunrise Queen Luxury Resort & Spa', 'Crystal Sunrise Queen Luxury Resort'],
  ['Creta Maris Beach Resort', 'Kreta Maris Beach Resort'],
  ['Miramare Resort Agios Nikolaos', 'Miramare Resort Aghios Nikolaos'],
  ['Mitsis Rodos Village Beach Hotel & Spa', 'Mitsis Rodos Village Beach Hotel and Spa 5 star'],
  ['Sol Pelícanos Ocas', 'Hotel Sol Pelicanos-Ocas'],
  ['Magic Aqua Rock Gardens', 'Magic Aqua Rock Garden'],
  ['Ikos Olivia', 'Ikos Olivia Resort'],
  ['Flamingo Oasis', 'Hotel Flamingo Oasis Benidorm'],
  ['Kipriotis Village', 'Kipriotis Village Resort'],
  ['Atlantica Kalliston Resort - Adults Only', 'Atlantica Kalliston Resort (Adult Only)'],
  ['Sandos Monaco (16+)', 'Sandos Monaco - Adults Only'],
  ['Voyage Belek Golf & Spa', 'Voyage Belek Golf and Spa Hotel'],
  ['Delphin Imperial', 'Delphin Imperial Hotel Lara', 'Lara'],
  ['Zafiro Palace Alcudia', 'Zafiro Palace Alcúdia'],
  ['Hotel Best Tenerife', 'Best Tenerife'],
  ['Spring Hotel Bitácora', 'Hotel Spring Bitacora'],
  ['Bahia Principe Fantasia Tenerife', 'Fantasía Bahía Príncipe Tenerife'],
  ['Elounda Bay Palace', 'Elounda Bay Palace 5 Stars'],
  ['Mythos Palace Resort', 'Mithos Palace'],
  ['Pirates Village Resort', 'Pirate’s Village Resort'],
  ['Fuerteventura Princess', 'Fuertventura Princess'],
  ['Sea Side Palm Beach', 'Seaside Palm Beach'],
  ['Apartamentos Gemelos II', 'Gemelos 2 Apartments'],
  ['Apartamentos Turísticos Maritim Playa', 'Maritim Playa Apartments'],
  ['Barut Hemera', 'Barut Hemera - Ultra All Inclusive'],
];

/** Sister hotels, often next door. */
const SISTERS: [string, string, string?][] = [
  ['Riu Palace Maspalomas', 'Riu Palace Oasis'],
  ['Magic Aqua Rock Gardens', 'Magic Rock Gardens'],
  ['Hipotels Gran Playa de Palma', 'Hipotels Playa de Palma Palace', 'Playa de Palma'],
  ['Sirenis Hotel Goleta', 'Sirenis Hotel Tres Carabelas'],
  ['Grand Palladium Palace Ibiza', 'Grand Palladium White Island'],
  ['Rixos Premium Belek', 'Rixos Park Belek', 'Belek'],
  ['Crystal Sunrise Queen', 'Crystal Sunset'],
  ['Lindos Imperial Resort', 'Lindos Princess Resort', 'Lindos'],
  ['Mitsis Rodos Village', 'Mitsis Rodos Maris'],
  ['Kipriotis Village', 'Kipriotis Panorama'],
  ['Kipriotis Maris', 'Kipriotis Maris Suites'],
  ['Sol Pelícanos', 'Sol Ocas'],
  ['Levante Club Hotel & Spa', 'Levante Club Apartments'],
  ['Apartamentos Gemelos 26', 'Apartamentos Gemelos 22'],
  ['Gemelos II', 'Gemelos IV'],
  ['Gemelos I', 'Gemelos'],
  ['Barceló Fuerteventura Mar', 'Barceló Fuerteventura Castillo'],
  ['Iberostar Playa de Muro', 'Iberostar Playa de Muro Village', 'Playa de Muro'],
  ['Riu Chiclana', 'ClubHotel Riu Chiclana'],
  ['Titanic Beach Lara', 'Titanic Deluxe Lara', 'Lara'],
  ['Delphin Palace', 'Delphin Imperial'],
  ['Delphin Palace', 'Delphin'],
  ['Limak Arcadia', 'Limak Atlantis'],
  ['Grecotel Olympia Oasis', 'Grecotel Olympia Riviera Thalasso'],
  ['Elounda Bay Palace', 'Elounda Beach', 'Elounda'],
  ['Elounda Beach', 'Elounda Bay', 'Elounda'],
  ['Marina Suites', 'Marina Bayview'],
  ['Dunas Suites & Villas', 'Dunas Mirador Maspalomas', 'Maspalomas'],
  ['Suite Princess', 'Taurito Princess', 'Taurito'],
  ['Sandos Benidorm Suites', 'Sandos Monaco', 'Benidorm'],
  ['Sandos Papagayo', 'Sandos Papagayo Adults Only'],
  ['Palm Beach', 'Palm Beach Aparthotel'],
  ['Hotel Marina', 'Hotel Marinas'],
  ['Alexandros Palace', 'Alexandra Palace'],
  ['Club Mac Alcudia Jupiter', 'Club Mac Alcudia Saturn', 'Alcudia'],
  ['Benidorm Palace', 'Benidorm Beach', 'Benidorm'],
  ['Hotel Palace', 'Palace Benidorm', 'Benidorm'],
  ['Servigroup Venus', 'Servigroup Pueblo'],
  ['Hotel Bahía', 'Bahía Resort'],
  ['Gran Castillo Tagoro', 'Gran Castillo Tagoro Suites'],
  ['Rhodes Bay', 'Rhodes Bay Elite Suites', 'Rhodes'],
];

describe('Hotels of two providers', () => {
  const at = (name: string, resort: string | undefined, metres: number) =>
    hotel(name, resort === undefined ? {} : { places: ['Spain', 'Coast', resort] }, metres);

  it.each(SAME)('are one: %s, %s', (one, other, resort) => {
    expect(isSameHotel(at(one, resort, 0), at(other, resort, 90))).toBe(true);
  });
  it.each(SISTERS)('are two, even in one place: %s, %s', (one, other, resort) => {
    expect(isSameHotel(at(one, resort, 0), at(other, resort, 0))).toBe(false);
  });
  it.each([
    ['far apart', hotel('Flamingo Oasis', {}, 400)],
    ['without a position', hotel('Flamingo Oasis', { latitude: null, longitude: null })],
    ['in another country', hotel('Flamingo Oasis', { places: ['Portugal'] })],
    ['with other stars', hotel('Flamingo Oasis', { halfStars: 6 })],
    ['similar by name and not next to each other', hotel('Flamingo Oasis Benidorm', {}, 200)],
  ])('are two %s', (_, other) => {
    expect(isSameHotel(hotel('Flamingo Oasis'), other)).toBe(false);
  });
  it('are one if they share a code, and two if their shared codes differ', () => {
    const [one, other] = [
      hotel('Sol', { sharedCode: 'G1' }),
      hotel('Luna', { sharedCode: 'G1', latitude: null }),
    ];
    expect(isSameHotel(one, other)).toBe(true);
    expect(isSameHotel(one, { ...one, sharedCode: 'G2' })).toBe(false);
  });
  it('are one if their stars differ by half a star or are unknown', () => {
    for (const halfStars of [0, 7, 9])
      expect(isSameHotel(hotel('Flamingo Oasis'), hotel('Flamingo Oasis', { halfStars }))).toBe(true);
  });

  const names = fc.constantFrom(...[...SAME, ...SISTERS].map(([, other]) => other));
  const facts = fc.record({
    name: names,
    metres: fc.integer({ min: 0, max: 500 }),
    halfStars: fc.integer({ min: 0, max: 10 }),
  });
  const made = facts.map(({ name, metres, halfStars }) => hotel(name, { halfStars }, metres));
  it('are compared with the same result in either order and in any case', () => {
    fc.assert(
      fc.property(made, made, (one, other) => {
        const is = isSameHotel(one, other);
        expect(isSameHotel(other, one)).toBe(is);
        expect(isSameHotel({ ...one, name: one.name.toUpperCase() }, other)).toBe(is);
      }),
    );
  });
  it('are two if only one has a number or a kind of hotel in its name', () => {
    fc.assert(
      fc.property(
        made,
        fc.constantFrom('2', 'III', 'Apartments', 'Suites', 'Beach', 'Adults Only'),
        (one, word) => {
          const other = { ...one, name: `Xanadu ${one.name} ${word}` };
          const plain = { ...one, name: `Xanadu ${one.name}` };
          const known = one.name.toLowerCase().match(/2|ii|iii|apart|suite|beach|adult|16/);
          expect(known !== null || !isSameHotel(plain, other)).toBe(true);
        },
      ),
    );
  });
});
