import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays } from '../../domain/calendar-date.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { TODAY } from '../fixtures/market.ts';
import { marketFolder, type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';
import { firstShownPrice, type ShownPrice } from '../fixtures/shown-price.ts';

export interface MixedLoad {
  seconds: number;
  /** Requests a second. */
  rate: number;
  /** Seconds between two samples of the memory. */
  every: number;
}

export interface MixedLoadReport {
  requests: number;
  /** Responses by kind of request and status, such as `search 200`. */
  answers: Readonly<Record<string, number>>;
  /** Megabytes of resident memory, with the second at which they were read. */
  memory: readonly { second: number; megabytes: number }[];
  /** How much more memory the server holds in the last fifth of the run than in the second one, in percent. */
  growth: number;
  /** Responses that no request of this kind may get. */
  wrong: readonly string[];
}

interface Client {
  url: string;
  key: string;
  shown: ShownPrice;
}

/** One kind of request: how often it comes, and the statuses that it may get. */
interface Kind {
  name: string;
  share: number;
  statuses: readonly number[];
  send(client: Client, nth: number): Promise<Response>;
}

const KINDS: readonly Kind[] = [
  { name: 'search', share: 60, statuses: [200], send: (client, nth) => search(client, nth % 50) },
  { name: 'page', share: 10, statuses: [200, 503], send: ({ url }) => fetch(url) },
  { name: 'list', share: 5, statuses: [200], send: ({ url }) => fetch(`${url}/data/locations.csv`) },
  {
    name: 'click',
    share: 8,
    statuses: [204],
    send: ({ url, shown }) => post(`${url}/visits`, shown),
  },
  {
    name: 'sign-up',
    share: 5,
    statuses: [200, 429],
    send: ({ url, shown }, nth) => post(`${url}/intents`, signUpBody(dramaNumber(nth % 900), shown.itemKey)),
  },
  { name: 'broken body', share: 4, statuses: [400], send: ({ url }) => postText(`${url}/intents`, '{"a":') },
  {
    name: 'deep body',
    share: 2,
    statuses: [400],
    send: ({ url }) => postText(`${url}/intents`, '['.repeat(5_000)),
  },
  {
    name: 'large body',
    share: 2,
    statuses: [413],
    send: ({ url }) => postText(`${url}/intents`, 'x'.repeat(70_000)),
  },
  // As a monitoring system does. The thread that reads the store's facts starts with the first of them.
  { name: 'metrics', share: 1, statuses: [200], send: ({ url }) => fetch(`${url}/metrics`) },
  {
    name: 'unknown address',
    share: 4,
    statuses: [404],
    send: ({ url }, nth) => fetch(`${url}/nothing/${nth}`),
  },
];

const ALL_SHARES = KINDS.reduce((sum, { share }) => sum + share, 0);

/** Sends every kind of request at a steady rate to a server of its own, and follows the server's memory. Linux only. */
export async function runMixedLoad(
  load: MixedLoad,
  onSample: (line: string) => void,
): Promise<MixedLoadReport> {
  const { dataDir, remove } = await marketFolder();
  const skylark = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off', LOG_LEVEL: 'error' });
  try {
    return await measure(skylark, load, onSample);
  } finally {
    await skylark.stop();
    await remove();
  }
}

async function measure(
  skylark: RunningSkylark,
  { seconds, rate, every }: MixedLoad,
  onSample: (line: string) => void,
): Promise<MixedLoadReport> {
  const client = await clientOf(skylark);
  const answers: Record<string, number> = {};
  const wrong = new Set<string>();
  const memory: { second: number; megabytes: number }[] = [];
  const running = new Set<Promise<void>>();
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1_000;
  let requests = 0;

  async function ask(nth: number): Promise<void> {
    const kind = kindOf(nth);
    const answer = await kind.send(client, nth);
    await answer.arrayBuffer();
    const outcome = `${kind.name} ${answer.status}`;
    answers[outcome] = (answers[outcome] ?? 0) + 1;
    if (!kind.statuses.includes(answer.status)) wrong.add(outcome);
  }

  while (elapsed() < seconds) {
    for (const due = elapsed() * rate; requests < due; requests += 1) {
      const asked: Promise<void> = ask(requests)
        .catch((error: unknown) => void wrong.add(String(error)))
        .finally(() => running.delete(asked));
      running.add(asked);
    }
    if (elapsed() >= memory.length * every) {
      const megabytes = residentMegabytes(skylark.process.pid);
      memory.push({ second: Math.round(elapsed()), megabytes });
      onSample(`${String(Math.round(elapsed())).padStart(6)} s  ${megabytes} MB  ${requests} requests`);
    }
    await sleep(20);
  }
  await Promise.all(running);
  return { requests, answers, memory, growth: growthOf(memory), wrong: [...wrong] };
}

function kindOf(nth: number): Kind {
  // Steps by a number without a common divisor with the total, so that the kinds are mixed.
  let left = (nth * 37) % ALL_SHARES;
  for (const kind of KINDS) {
    if (left < kind.share) return kind;
    left -= kind.share;
  }
  throw new Error('The shares do not add up');
}

function growthOf(memory: readonly { megabytes: number }[]): number {
  const fifth = Math.max(1, Math.floor(memory.length / 5));
  const median = (samples: readonly { megabytes: number }[]) =>
    samples.map(({ megabytes }) => megabytes).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;
  const before = median(memory.slice(fifth, 2 * fifth));
  return before === 0 ? 0 : Math.round((median(memory.slice(-fifth)) / before - 1) * 1_000) / 10;
}

async function clientOf({ url }: RunningSkylark): Promise<Client> {
  const { searchApiKey } = (await (await fetch(`${url}/config.json`)).json()) as { searchApiKey: string };
  const client = { url, key: searchApiKey };
  return { ...client, shown: firstShownPrice(await (await search(client, 30)).json()) };
}

function search({ url, key }: Pick<Client, 'url' | 'key'>, day: number): Promise<Response> {
  const startDate = addDays(TODAY, 1 + day);
  const filters = {
    brand: 'SKY',
    country: 'Spain',
    startDate,
    endDate: addDays(startDate, 7),
    departureAirports: ['LGW', 'LTN', 'MAN'],
    numberOfAdults: 2,
    numberOfChildren: 0,
    numberOfInfants: 0,
    duration: 7,
  };
  const variables = { filters, sortBy: 'PRICE_ASC', limit: 100, nextToken: null };
  return post(`${url}/graphql`, { query: SEARCH_PACKAGES_QUERY, variables }, { 'x-api-key': key });
}

function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return postText(url, JSON.stringify(body), headers);
}

function postText(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

function residentMegabytes(pid: number | undefined): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1_000);
}
