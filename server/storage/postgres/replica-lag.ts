import type { PostgresServer } from './server.ts';

/** A replica that is further behind the primary, in milliseconds, is lagging. */
const MAX_LAG = 10_000;

type Server = Pick<PostgresServer, 'isLagging' | 'logPosition'>;

/**
 * Marks the replicas that lag, each time it is called: those that have not replayed what the primary had written `MAX_LAG`
 * ago. A replica's clock alone could not distinguish a quiet primary from a lost one. If the primary does not respond, no
 * replica lags: nothing newer is available.
 */
export function replicaLag(primary: Server, replicas: readonly Server[]): (now: number) => void {
  let positions: { at: number; bytes: number }[] = [];
  return (now) => {
    const bytes = primary.logPosition;
    positions = bytes === null ? [] : [...positions, { at: now, bytes }];
    const due = positions.findLast(({ at }) => at <= now - MAX_LAG);
    if (due !== undefined) positions = positions.filter(({ at }) => at >= due.at);
    for (const replica of replicas) {
      if (bytes === null) replica.isLagging = false;
      else if (due !== undefined)
        replica.isLagging = replica.logPosition !== null && replica.logPosition < due.bytes;
    }
  };
}
