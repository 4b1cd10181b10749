import type { SiteVisit, VisitOutcome } from './record-visits.ts';

type Waiting = PromiseWithResolvers<VisitOutcome> & { visit: SiteVisit };

/**
 * Records waiting visits together when `soon` runs its task, so that a batch waits for the embedded store's
 * lock once. `record` writes all or none: if it throws, all visits of the batch are rejected.
 */
export function visitBatches(
  record: (visits: readonly SiteVisit[]) => Promise<VisitOutcome[]>,
  soon: (task: () => Promise<void>) => unknown,
): (visit: SiteVisit) => Promise<VisitOutcome> {
  let waiting: Waiting[] = [];

  async function recordAll(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const outcomes = await record(batch.map(({ visit }) => visit));
      for (const [nth, outcome] of outcomes.entries()) batch[nth]?.resolve(outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (visit) => {
    if (waiting.length === 0) soon(recordAll);
    const one = { visit, ...Promise.withResolvers<VisitOutcome>() };
    waiting.push(one);
    return one.promise;
  };
}
