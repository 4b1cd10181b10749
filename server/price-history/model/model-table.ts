import * as v from 'valibot';
import type { SqlSession } from '../../storage/sql-database.ts';
import type { HedonicModel } from './hedonic-model.ts';
import { TRAITS, type Trait } from './price-traits.ts';

/** Models that were trained together. */
export interface PriceModels {
  /** Counted from 1. */
  version: number;
  trainedDay: number;
  /** The last day whose prices have moved the range. Missing in models of 0.3.0: `trainedDay`. */
  adaptedDay?: number | undefined;
  /** Null if there were too few prices. */
  hedonic: HedonicModel | null;
}

/** Only the newest version is used; older ones are kept for reference. */
const KEPT_VERSIONS = 5;

const perTrait = <T extends v.GenericSchema>(schema: T) =>
  v.object(Object.fromEntries(TRAITS.map((trait) => [trait, schema])) as Record<Trait, T>);

const body = v.object({
  trainedDay: v.number(),
  adaptedDay: v.optional(v.number()),
  hedonic: v.nullable(
    v.object({
      base: v.number(),
      shares: perTrait(v.record(v.string(), v.number())),
      range: v.object({
        below: v.number(),
        above: v.number(),
        scale: v.number(),
        countries: v.record(v.string(), v.number()),
        resorts: v.record(v.string(), v.number()),
        rates: v.object({ below: v.number(), above: v.number() }),
      }),
    }),
  ),
});

/** Stores models as a new version, and returns its number. */
export async function writePriceModels(
  database: SqlSession,
  models: Omit<PriceModels, 'version'>,
): Promise<number> {
  const newest = await database.prepare('select coalesce(max(version), 0) as version from price_model').get();
  const version = Number(newest?.version) + 1;
  await database
    .prepare('insert into price_model (version, trained_at, body) values (?, ?, ?)')
    .run(version, models.trainedDay * 1440, JSON.stringify(models));
  await database.prepare('delete from price_model where version <= ?').run(version - KEPT_VERSIONS);
  return version;
}

/** The newest models; null if there are none, or in an older release's format. */
export async function readPriceModels(database: SqlSession): Promise<PriceModels | null> {
  const newest = (await database.prepare('select max(version) as version from price_model').get())?.version;
  const version = Number(newest ?? 0);
  const last = lastRead.get(database.store);
  if (last?.version === version) return last.models;
  const row = await database.prepare('select body from price_model where version = ?').get(version);
  if (row === undefined) return null;
  const parsed = v.safeParse(body, JSON.parse(String(row.body)));
  const models = parsed.success ? { version, ...parsed.output } : null;
  lastRead.set(database.store, { version, models });
  return models;
}

/** Cached, because a version never changes, and parsing its hotels takes longer than an analysis. */
const lastRead = new WeakMap<object, { version: number; models: PriceModels | null }>();
