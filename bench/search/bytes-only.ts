import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchServer, startProgram } from '../support/start-server.ts';
import type { Answered } from './post-searches.ts';

/** Runs work with a plain node:http server that sends these responses from memory. */
export async function withBytesOnly<T>(
  answers: readonly Answered[],
  work: (server: BenchServer) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'skylark-bench-'));
  const file = join(folder, 'answers.json');
  const recorded = answers.map(({ headers, content }) => ({ headers, content: content.toString('base64') }));
  writeFileSync(file, JSON.stringify(recorded));
  const server = await startProgram(['bench/search/bytes-only-server.ts', file], {});
  try {
    return await work(server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
