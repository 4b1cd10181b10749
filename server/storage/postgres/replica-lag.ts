import type { PostgresServer } from './server.ts';

const MAX_LAG_MS = 10_000;

type Server = Pick<PostgresServer, 'isLagging' | 'logPosition'>;

/**
 * Returns a function that marks the replicas which have not replayed what the primary wrote `MAX_LAG_MS` ago.
 * While the primary does not respond, no replica counts as lagging, because no server has newer data.
 */
export function replicaLag(primary: Server, replicas: readonly Server[]): (now: number) => void {
  let positions: { at: number; bytes: number }[] = [];
  return (now) => {
    const bytes = primary.logPosition;
    positions = bytes === null ? [] : [...positions, { at: now, bytes }];
    const due = positions.findLast(({ at }) => at <= now - MAX_LAG_MS);
    if (due !== undefined) positions = positions.filter(({ at }) => at >= due.at);
    for (const replica of replicas) {
      if (bytes === null) replica.isLagging = false;
      else if (due !== undefined)
        replica.isLagging = replica.logPosition !== null && replica.logPosition < due.bytes;
    }
  };
}
