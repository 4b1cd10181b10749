import { completePriceBlocks, type FillProgress } from '../inventory/tables/fill-price-blocks.ts';
import { systemClock } from '../lib/clock.ts';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { type WorkQueue, type WorkQueueSettings, workQueue } from '../lib/work-queue/work-queue.ts';
import { openDatabase, openDatabaseForReading } from '../storage/open/database.ts';
import { watchCitusWorkers } from '../storage/postgres/citus-workers.ts';
import { watchPreparedTransactions } from '../storage/postgres/prepared-transactions.ts';
import { readPool } from '../storage/postgres/read-pool.ts';
import { silentDays } from '../storage/postgres/silent-days.ts';
import type { PostgresAddress, StoreAddress } from '../storage/store-address.ts';
import type { PackageRepository } from './package-repository.ts';
import { postgresPackageRepository } from './postgres-package-repository.ts';
import { type SizeClass, sizeClass } from './search-cost.ts';
import { sqlitePackageRepository } from './sqlite-package-repository.ts';
import { wideSearchWorkers } from './wide-search.ts';

/** A repository, and the queues before what it searches with. */
export interface OpenPackageRepository extends PackageRepository {
  queues: readonly WorkQueue[];
}

/**
 * Opens the store for searching, and creates it if there is none. Throws if it cannot be used or a newer version has
 * written it. Without its primary, a PostgreSQL store can still be searched if a replica responds. A store that an
 * earlier version has filled first gets its price blocks, about a minute for 20 million packages.
 */
export async function openPackageRepository(
  store: StoreAddress,
  onFill: (progress: FillProgress) => void = () => {},
): Promise<OpenPackageRepository> {
  if (store.kind === 'embedded') {
    prepareStore(store, onFill);
    const threads = wideSearchWorkers(store);
    const repository = sqlitePackageRepository(openDatabaseForReading(store), threads.api);
    return {
      ...repository,
      queues: threads.queues,
      async close() {
        await threads.stop();
        await repository.close();
      },
    };
  }
  const repository = postgresRepository(store);
  try {
    prepareStore(store, onFill);
    return repository;
  } catch (error) {
    if (error instanceof StoreUnavailable && (await canBeSearched(repository))) return repository;
    await repository.close();
    throw error;
  }
}

/**
 * Small searches of one turn of the event loop share a connection and are answered one after the other, so more run at
 * once than there are connections. Those of one network never keep more than two connections from others: what a search
 * takes is not known before it.
 */
const POSTGRES: WorkQueueSettings = {
  name: 'small searches in PostgreSQL',
  concurrency: 40,
  mostOfNetwork: 2,
  maxWaiting: 500,
  maxWaitMs: 2_000,
  maxRunMs: 10_000,
  msPerUnit: 0.01,
};

/**
 * Each of the larger ones may hold a connection of its own while it runs. A server has ten (`server.ts`), so small
 * searches always have four: behind the pool nobody's turn is fair.
 */
const POSTGRES_QUEUES: Readonly<Record<SizeClass, WorkQueueSettings>> = {
  small: POSTGRES,
  quick: {
    ...POSTGRES,
    name: 'quick searches in PostgreSQL',
    concurrency: 4,
    mostOfNetwork: 1,
    maxWaiting: 200,
  },
  wide: {
    ...POSTGRES,
    name: 'wide searches in PostgreSQL',
    concurrency: 2,
    mostOfNetwork: 1,
    maxWaiting: 50,
    maxRunMs: 15_000,
  },
};

/** Searches in PostgreSQL, each size in a queue of its own before the pool of connections. */
function postgresRepository(store: PostgresAddress): OpenPackageRepository {
  const pool = readPool(store);
  const days = store.silentDays === undefined ? null : silentDays(store.silentDays);
  const workers = watchCitusWorkers(store.url, days, pool.abandon);
  const queues = {
    small: workQueue(POSTGRES_QUEUES.small, systemClock),
    quick: workQueue(POSTGRES_QUEUES.quick, systemClock),
    wide: workQueue(POSTGRES_QUEUES.wide, systemClock),
  };
  const repository = postgresPackageRepository(pool, workers, (caller, isLong, work) => {
    const size = sizeClass(caller.requestUnits);
    // However little it costs, it holds a connection.
    const queue = queues[isLong && size === 'small' ? 'quick' : size];
    return queue.run(caller, caller.units, work);
  });
  const recovery = watchPreparedTransactions(store.url);
  return {
    ...repository,
    queues: Object.values(queues),
    async close() {
      recovery.stop();
      workers.stop();
      await repository.close();
    },
  };
}

function prepareStore(store: StoreAddress, onFill: (progress: FillProgress) => void): void {
  const database = openDatabase(store);
  try {
    completePriceBlocks(database, onFill);
  } finally {
    database.close();
  }
}

async function canBeSearched(repository: PackageRepository): Promise<boolean> {
  try {
    await repository.referenceVersion();
    return true;
  } catch {
    return false;
  }
}
