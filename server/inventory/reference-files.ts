import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCsv } from '../../domain/csv.ts';

export interface SampleResort {
  country: string;
  region: string;
  resort: string;
  latitude: number;
  longitude: number;
  kind: string;
  /** From 1 to 3. */
  popularity: number;
  /** IATA codes of the airports that serve it. */
  airports: readonly string[];
}

export interface SampleAirport {
  iata: string;
  name: string;
  countryCode: string;
  latitude: number;
  longitude: number;
  timezone: string;
}

export interface SampleRoute {
  airlineCode: string;
  airline: string;
  origin: string;
  destination: string;
  monthlySeats: number;
}

const FOLDER = join(import.meta.dirname, '../sample/reference');

/** Reads the files that the sample inventory is made from (`server/sample/reference/README.md`). */
export function readReference(): {
  resorts: SampleResort[];
  airports: SampleAirport[];
  routes: SampleRoute[];
} {
  return {
    resorts: rows('resorts.csv').map(
      ([country, region, resort, latitude, longitude, kind, popularity, airports]) => ({
        country: country ?? '',
        region: region ?? '',
        resort: resort ?? '',
        latitude: Number(latitude),
        longitude: Number(longitude),
        kind: kind ?? '',
        popularity: Number(popularity),
        airports: (airports ?? '').split(/[^A-Z]+/).filter((code) => code !== ''),
      }),
    ),
    airports: rows('airports.csv').map(([iata, name, , countryCode, latitude, longitude, timezone]) => ({
      iata: iata ?? '',
      name: name ?? '',
      countryCode: countryCode ?? '',
      latitude: Number(latitude),
      longitude: Number(longitude),
      timezone: timezone ?? '',
    })),
    routes: rows('routes.csv').map(([airlineCode, airline, origin, destination, monthlySeats]) => ({
      airlineCode: airlineCode ?? '',
      airline: airline ?? '',
      origin: origin ?? '',
      destination: destination ?? '',
      monthlySeats: Number(monthlySeats),
    })),
  };
}

function rows(file: string): string[][] {
  return parseCsv(readFileSync(join(FOLDER, file), 'utf8'))
    .slice(1)
    .filter((row) => row.length > 1);
}
