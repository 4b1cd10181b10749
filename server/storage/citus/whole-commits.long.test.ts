import { beforeEach, describe, expect, it } from 'vitest';
import { isStoreUnavailable } from '../../lib/store-unavailable.ts';
import type { PostgresConnections } from '../postgres/server.ts';
import type { QueryPostgres } from '../postgres/statements.ts';
import type { SqlValue } from '../sql-database.ts';
import { wholeCommits } from './whole-commits.ts';

const DAY = 20_000;
const OTHER_DAY = 20_001;

/** A coordinator and two node groups, each with the packages of one day. */
function citus() {
  const state = {
    version: 1,
    decided: [] as [group: number, gid: string][],
    prepared: new Map<number, string[]>(),
    silentGroups: new Set<number>(),
    losses: 0,
    looks: 0,
    runs: 0,
    /** Called while a search runs. */
    meanwhile: () => {},
  };
  const query: QueryPostgres = async ({ text, values }): Promise<SqlValue[][]> => {
    if (text.includes('pg_dist_transaction')) return state.decided.map((one) => [...one]);
    if (text.includes('from note')) return [[String(state.version)]];
    state.looks += 1;
    const [groups] = values as [number[]];
    return groups.map((group) => [group, JSON.stringify(state.prepared.get(group) ?? [])]);
  };
  const server: PostgresConnections = { query, inSnapshot: (work) => work(query) };
  const groups = new Map([
    [DAY, 1],
    [OTHER_DAY, 2],
  ]);
  const read = wholeCommits(
    {
      get silentGroups() {
        return state.silentGroups;
      },
      get losses() {
        return state.losses;
      },
      groupsOf: (values) => new Set(values.flatMap((value) => groups.get(value) ?? [])),
    },
    'version',
  );
  return { state, server, read };
}

describe('A search on Citus', () => {
  let { state, server, read } = citus();
  beforeEach(() => {
    ({ state, server, read } = citus());
  });

  const searchOf = (...days: number[]) =>
    read(
      server,
      days,
      async () => {
        state.runs += 1;
        state.meanwhile();
        return state.version;
      },
      false,
    );

  it('runs once if no import commits', async () => {
    await searchOf(DAY, OTHER_DAY);
    expect(state).toMatchObject({ runs: 1, looks: 0 });
  });

  it('runs again if an import was committed in the meantime', async () => {
    state.meanwhile = () => {
      if (state.runs === 1) state.version = 2;
    };
    expect(await searchOf(DAY)).toBe(2);
    expect(state.runs).toBe(2);
  });

  it('runs again after workers have committed what the coordinator decided', async () => {
    state.decided = [
      [1, 'citus_1'],
      [2, 'citus_2'],
    ];
    state.prepared.set(2, ['citus_2']);
    const searched = searchOf(DAY, OTHER_DAY);
    setTimeout(() => state.prepared.clear(), 100);
    await searched;
    expect(state.runs).toBeGreaterThan(2);
    const { looks } = state;
    await searchOf(DAY, OTHER_DAY);
    expect(state.looks).toBe(looks);
  });

  it('does not wait for a worker that has none of its days', async () => {
    state.decided = [[2, 'citus_2']];
    state.prepared.set(2, ['citus_2']);
    await searchOf(DAY);
    expect(state.runs).toBe(1);
  });

  it("checks the coordinator's decisions even after a slow search", async () => {
    state.decided = [[1, 'citus_1']];
    const slow = read(
      server,
      [DAY],
      async () => {
        state.runs += 1;
        await new Promise((resolve) => setTimeout(resolve, 1_900));
      },
      false,
    );
    await slow;
    expect(state.runs).toBe(2);
  });

  it('fails if a worker does not commit in time, or stops responding', async () => {
    state.decided = [[1, 'citus_1']];
    state.prepared.set(1, ['citus_1']);
    const late = searchOf(DAY).catch((error: unknown) => error);
    expect(isStoreUnavailable(await late)).toBe(true);
    const before = state.runs;
    const lost = searchOf(DAY).catch((error: unknown) => error);
    state.losses += 1;
    expect(isStoreUnavailable(await lost)).toBe(true);
    expect(state.runs).toBe(before + 1);
  });

  it("does not count a silent worker's transactions as committed", async () => {
    state.decided = [[2, 'citus_2']];
    state.prepared.set(2, ['citus_2']);
    state.silentGroups = new Set([2]);
    await searchOf(DAY);
    state.silentGroups = new Set();
    const returned = searchOf(OTHER_DAY).catch((error: unknown) => error);
    expect(isStoreUnavailable(await returned)).toBe(true);
  });
});
