import type { Clock } from '../lib/clock.ts';
import { presence } from '../lib/work-queue/presence.ts';
import { type WorkQueue, type WorkQueueSettings, workQueue } from '../lib/work-queue/work-queue.ts';
import type { InTurn } from './postgres-package-repository.ts';
import { type SizeClass, sizeClass } from './search-cost.ts';

/**
 * Small searches of one turn of the event loop share a connection and are answered one after the other, so more run at
 * once than there are connections. Those of one network never keep more than two connections from others: what a search
 * takes is not known before it.
 */
const SMALL: WorkQueueSettings = {
  name: 'small searches in PostgreSQL',
  concurrency: 40,
  mostOfNetwork: 2,
  maxWaiting: 500,
  maxWaitMs: 2_000,
  maxRunMs: 5_000,
  msPerUnit: 0.01,
};

/**
 * Each of the larger ones may hold a connection of its own while it runs. A server has ten (`server.ts`), so small
 * searches always have four: behind the pool nobody's turn is fair.
 */
const SETTINGS: Readonly<Record<SizeClass, WorkQueueSettings>> = {
  small: SMALL,
  quick: {
    ...SMALL,
    name: 'quick searches in PostgreSQL',
    concurrency: 4,
    mostOfNetwork: 1,
    maxWaiting: 200,
  },
  wide: {
    ...SMALL,
    name: 'wide searches in PostgreSQL',
    concurrency: 2,
    mostOfNetwork: 1,
    maxWaiting: 50,
    maxRunMs: 15_000,
  },
};

/** The queues before the pool of connections to PostgreSQL. */
export interface PostgresQueues {
  queues: readonly WorkQueue[];
  inTurn: InTurn;
}

/**
 * Each size of searches has a queue of its own. They all use the processors of one server, so whoever asks in one queue is
 * there in the others, and a network that has connections of its own has a share of their time beside others.
 */
export function postgresQueues(clock: Clock): PostgresQueues {
  const present = presence(() => clock.now());
  const queues = {
    small: workQueue(SETTINGS.small, clock, present),
    quick: workQueue(SETTINGS.quick, clock, present),
    wide: workQueue(SETTINGS.wide, clock, present),
  };
  return {
    queues: Object.values(queues),
    inTurn(caller, isLong, work) {
      const { units, requestUnits } = caller;
      const size = sizeClass(requestUnits);
      if (!isLong) return queues[size].run(caller, units, work);
      // However little it costs, it holds a connection.
      const queue = queues[size === 'small' ? 'quick' : size];
      return caller.inThread(units, (waiting) => queue.run(waiting, units, work));
    },
  };
}
