import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { BenchServer } from '../support/start-server.ts';

/** The results of one round of searches. Times are in milliseconds. */
export interface Round {
  requestsPerSecond: number;
  p50: number;
  p95: number;
  p99: number;
  /** Processor time of the server per request. */
  cpu: number;
  bytes: number;
}

/** The unit of processor times in /proc. */
const TICKS_PER_SECOND = 100;

/** A pool of HTTP clients and the encodings that they accept. */
export interface Clients {
  agent: Agent;
  encodings: string;
}

/** Clients of one server that keep their connections alive between rounds, as browsers do. */
export function clientsOf(clients: number, encodings = 'gzip, deflate, br, zstd'): Clients {
  return { agent: new Agent({ keepAlive: true, maxSockets: clients }), encodings };
}

/** Posts a GraphQL request, and resolves with the undecoded response body. */
export function postTo(server: BenchServer, { agent, encodings }: Clients, body: object): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const url = new URL('/graphql', server.address);
    const headers = {
      'content-type': 'application/json',
      'x-api-key': 'skylark-public',
      'accept-encoding': encodings,
    };
    const asked = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const answer = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`${server.address} answered ${response.statusCode}: ${String(answer)}`));
      });
    });
    asked.on('error', reject);
    asked.end(JSON.stringify(body));
  });
}

/** Posts all bodies; each client posts its next when the last is answered. */
export async function measureRound(
  server: BenchServer,
  bodies: readonly object[],
  clients: Clients,
): Promise<Round> {
  const waiting = bodies.values();
  const times: number[] = [];
  let bytes = 0;
  const cpuBefore = cpuOf(server.pid);
  const from = performance.now();
  const client = async () => {
    for (const body of waiting) {
      const asked = performance.now();
      const answer = await postTo(server, clients, body);
      bytes += answer.length;
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: clients.agent.maxSockets }, client));
  const took = performance.now() - from;
  const cpu = cpuOf(server.pid) - cpuBefore;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    requestsPerSecond: (bodies.length / took) * 1_000,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    cpu: cpu / bodies.length,
    bytes: bytes / bodies.length,
  };
}

/** Combines rounds: the harmonic mean of rates, the mean of everything else. */
export function meanRound(rounds: readonly Round[]): Round {
  const of = (pick: (round: Round) => number) =>
    rounds.reduce((sum, round) => sum + pick(round), 0) / rounds.length;
  return {
    requestsPerSecond: 1 / of((round) => 1 / round.requestsPerSecond),
    p50: of((round) => round.p50),
    p95: of((round) => round.p95),
    p99: of((round) => round.p99),
    cpu: of((round) => round.cpu),
    bytes: of((round) => round.bytes),
  };
}

/** The processor time of a process in milliseconds; NaN except on Linux. */
function cpuOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000;
}
