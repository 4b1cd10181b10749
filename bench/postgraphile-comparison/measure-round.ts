import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { BenchServer } from '../support/start-server.ts';

/** What one round of questions cost. Times in milliseconds. */
export interface Round {
  requestsASecond: number;
  p50: number;
  p95: number;
  p99: number;
  /** Of the server's own process, a request. */
  cpu: number;
  bytes: number;
}

/** Clock ticks a second, in which the kernel counts a process's time. */
const TICKS = 100;

/** Who asks, and how the answer may be packed. */
export interface Clients {
  agent: Agent;
  encodings: string;
}

/** So many clients of one server, who keep their connections from one round to the next as browsers do. */
export function clientsOf(clients: number, encodings = 'gzip, deflate, br, zstd'): Clients {
  return { agent: new Agent({ keepAlive: true, maxSockets: clients }), encodings };
}

/** Posts a GraphQL request; gives the answer's bytes as they came. */
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

/** Lets clients ask all the questions, each its next once its last is answered. */
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
    requestsASecond: (bodies.length / took) * 1_000,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    cpu: cpu / bodies.length,
    bytes: bytes / bodies.length,
  };
}

/** All turns together: rates over the whole time, other numbers as means of the turns'. */
export function meanRound(rounds: readonly Round[]): Round {
  const of = (pick: (round: Round) => number) =>
    rounds.reduce((sum, round) => sum + pick(round), 0) / rounds.length;
  return {
    requestsASecond: 1 / of((round) => 1 / round.requestsASecond),
    p50: of((round) => round.p50),
    p95: of((round) => round.p95),
    p99: of((round) => round.p99),
    cpu: of((round) => round.cpu),
    bytes: of((round) => round.bytes),
  };
}

/** Milliseconds of processor that a process has used, where the kernel tells. */
function cpuOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000;
}
