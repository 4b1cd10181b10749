import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { parseAirports } from '../../domain/airport.ts';
import { answerQuestions } from '../ask-thread.ts';
import { buildCatalogue, type Catalogue } from '../package-search/catalogue.ts';
import { openDatabaseForReading } from '../storage/open-database.ts';
import { REFERENCE_VERSION, readReferenceTables } from '../storage/reference-tables.ts';
import { airportNeighbours } from './airport-neighbours.ts';
import { analysePrices } from './analyse-prices.ts';
import type { AnalysisQuestion, AnalysisWorkerData } from './price-analyses.ts';

const { store, listsDir } = workerData as AnalysisWorkerData;
const database = openDatabaseForReading(store);
const neighbours = airportNeighbours(
  parseAirports(readFileSync(join(listsDir, 'departure-airports.csv'), 'utf8')),
);
const readVersion = database.prepare('select value from note where name = ?');
let version: unknown = null;
let catalogue: Catalogue | null = null;

/** The dictionaries, read anew only after they were replaced. */
function currentCatalogue(): Catalogue {
  const newest = readVersion.get(REFERENCE_VERSION)?.value;
  if (catalogue === null || newest !== version) {
    version = newest;
    catalogue = buildCatalogue(readReferenceTables(database));
  }
  return catalogue;
}

answerQuestions(({ itemKeys, nowMs }: AnalysisQuestion) =>
  analysePrices(database, currentCatalogue(), neighbours, itemKeys, nowMs),
);
