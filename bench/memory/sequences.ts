/** What a server under attack offers, for requests that get past its first checks. */
export interface Bait {
  searchApiKey: string;
  /** The body of a search with a large response. */
  search: string;
  /** A package on sale. */
  itemKey: string;
}

/** What each connection of an attack does. A connection that is closed is opened again. */
export interface HostileSequence {
  name: string;
  /** Omitted: what the command line says. */
  connections?: number;
  /** Sent when the connection opens. */
  open(nth: number): string;
  /** Sent again each time a response arrives. */
  repeat?(nth: number): string;
  /** Sent at intervals, whatever is answered. */
  drip?: { everyMs: number; text(nth: number, turn: number): string };
  /** Whether responses are read. Omitted: they are. */
  reads?: boolean;
  /** Whether the client closes its side once it has sent everything. */
  isHalfClosed?: boolean;
}

export const HOST = 'Host: localhost\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const head = (path: string, length: number | string, headers = '') =>
  `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${length}\r\n${headers}\r\n`;
const post = (path: string, body: string, headers = '') =>
  head(path, Buffer.byteLength(body), headers) + body;
const chunkedHead = (path: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n${headers}\r\n`;

const SIGNATURE = `X-Hub-Signature-256: sha256=${'0'.repeat(64)}\r\n`;
const WEBHOOK = '/webhooks/whatsapp';
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const manyKeys = (bytes: number) =>
  `{${Array.from({ length: Math.floor(bytes / 10) }, (_, nth) => `"${nth.toString(36).padStart(4, '0')}":1`).join(',')}}`;

/** Requests in a loop, each connection waiting for its response. */
const flood = (name: string, request: (nth: number) => string): HostileSequence => ({
  name,
  open: request,
  repeat: request,
});

function signUp(itemKey: string, nth: number, padding: number): string {
  return JSON.stringify({
    user: {
      platform: 'whatsapp',
      channel: 'skylark',
      channel_id: `0770090${String(nth % 10_000).padStart(4, '0')}`,
    },
    intentName: 'alertSignup',
    intent: { packageHoliday: { ItemKey: itemKey, Padding: 'x'.repeat(padding) } },
  });
}

/** Slow and unfinished requests. */
function unfinished({ searchApiKey }: Bait): HostileSequence[] {
  const key = `X-Api-Key: ${searchApiKey}\r\n`;
  const everySecond = { everyMs: 1_000, text: () => 'x' };
  return [
    { name: 'connections that send nothing', open: () => '' },
    { name: 'headers by one byte a second', open: () => 'GET / HTTP/1.1\r\nX: ', drip: everySecond },
    { name: 'headers of 15 kB without an end', open: () => `GET / HTTP/1.1\r\nX: ${'x'.repeat(15_000)}` },
    { name: 'headers of 100 kB', open: () => `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n` },
    flood('a thousand header lines', () => get('/', 'A: b\r\n'.repeat(1_000))),
    { name: 'sign-ups by one byte a second', open: () => head('/intents', 60_000), drip: everySecond },
    { name: 'sign-ups of 60 kB without an end', open: () => head('/intents', 60_001) + 'x'.repeat(60_000) },
    {
      name: 'searches of 60 kB without an end',
      open: () => head('/graphql', 60_001, key) + 'x'.repeat(60_000),
    },
    {
      name: 'sign-ups in 10,000 parts of one byte, without an end',
      open: () => chunkedHead('/intents') + '1\r\nx\r\n'.repeat(10_000),
    },
    {
      name: 'parts with 10 kB of extensions',
      open: () => chunkedHead('/intents') + `1;${'x'.repeat(10_000)}\r\nx\r\n`.repeat(3),
    },
    {
      name: 'trailers of 15 kB',
      open: () => `${chunkedHead('/intents')}2\r\n{}\r\n0\r\nX: ${'x'.repeat(15_000)}\r\n\r\n`,
    },
    {
      name: 'uploads that wait for 100 Continue',
      open: () => head('/intents', 60_000, 'Expect: 100-continue\r\n'),
    },
    {
      name: 'unsigned webhooks of 3 MB without an end',
      open: () => head(WEBHOOK, 3_000_000) + 'x'.repeat(1_000_000),
    },
    {
      name: 'webhooks with a false signature, of 3 MB without an end',
      open: () => head(WEBHOOK, 3_000_000, SIGNATURE) + 'x'.repeat(2_900_000),
    },
    {
      name: 'webhooks with a false signature, in parts',
      open: () =>
        chunkedHead(WEBHOOK, SIGNATURE) + `${(60_000).toString(16)}\r\n${'x'.repeat(60_000)}\r\n`.repeat(40),
    },
  ];
}

/** Complete requests that are costly to read or to refuse. */
function costly({ searchApiKey, itemKey }: Bait): HostileSequence[] {
  const key = `X-Api-Key: ${searchApiKey}\r\n`;
  return [
    flood('webhooks with a false signature, of 1 MB', () => post(WEBHOOK, 'x'.repeat(1_000_000), SIGNATURE)),
    flood('sign-ups nested 30,000 deep', () => post('/intents', nested(30_000))),
    flood('search variables nested 4,000 deep', () =>
      post('/graphql', `{"query":"{ __typename }","variables":{"a":${nested(4_000)}}}`, key),
    ),
    flood('search queries nested 10,000 deep', () =>
      post('/graphql', JSON.stringify({ query: '{a'.repeat(10_000) + '}'.repeat(10_000) }), key),
    ),
    flood('sign-ups of 6,000 keys', () => post('/intents', manyKeys(60_000))),
    flood('search queries of 60 kB', (nth) =>
      post(
        '/graphql',
        JSON.stringify({ query: `{ a${nth}: __typename ${'b: __typename '.repeat(4_000)}}` }),
        key,
      ),
    ),
    flood('sign-ups of 60 kB', (nth) => post('/intents', signUp(itemKey, nth, 60_000))),
    flood('clicks on a package', () => post('/visits', JSON.stringify({ itemKey, price: 400 }))),
    flood('clicks on invented packages', (nth) =>
      post('/visits', `{"itemKey":"${'x'.repeat(390)}${nth}","price":1}`),
    ),
    flood('measurements', () =>
      post('/vitals', '{"page":"/","measurements":[{"name":"LCP","value":1},{"name":"CLS","value":1}]}'),
    ),
    flood('compressed bodies', () => post('/intents', 'x'.repeat(60_000), 'Content-Encoding: br\r\n')),
    flood('addresses that cannot be decoded', () => get(`/${'%'.repeat(8_000)}`)),
    flood('long unknown addresses', (nth) => get(`/${nth}${'x'.repeat(8_000)}`, 'Accept: text/html\r\n')),
    flood(
      'preflights',
      () => `OPTIONS /graphql HTTP/1.1\r\n${HOST}Origin: https://elsewhere.example\r\n\r\n`,
    ),
    flood('bytes that are not HTTP', () => '\u0000'.repeat(1_000)),
    flood('upgrades to another protocol', () => get('/', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')),
    { ...flood('requests from closed connections', () => get('/data/locations.csv')), isHalfClosed: true },
    flood('connections for one request each', () => get('/healthz', 'Connection: close\r\n')),
  ];
}

/** Large responses, and more requests than are waited for. */
function unread({ searchApiKey, search }: Bait): HostileSequence[] {
  const key = `X-Api-Key: ${searchApiKey}\r\n`;
  const plain = post('/graphql', search, key);
  const compressed = post('/graphql', search, `${key}Accept-Encoding: zstd\r\n`);
  return [
    { name: 'searches that are never read', open: () => plain, reads: false },
    { name: '16 searches at once, never read', open: () => plain.repeat(16), reads: false },
    { name: '200 searches at once', open: () => compressed.repeat(200) },
    { name: '1,000 pages at once', open: () => get('/').repeat(1_000) },
    { name: '1,000 pages at once, never read', open: () => get('/').repeat(1_000), reads: false },
    {
      name: '16 compressed lists at once, never read',
      open: () => get('/data/locations.csv', 'Accept-Encoding: br\r\n').repeat(16),
      reads: false,
    },
    flood('compressed lists', () => get('/data/locations.csv', 'Accept-Encoding: br\r\n')),
    flood('compressed pages of the server', () => get('/privacy', 'Accept-Encoding: br\r\n')),
    flood('page configuration, compressed', () => get('/config.json', 'Accept-Encoding: br\r\n')),
    { name: '16 metrics at once, never read', open: () => get('/metrics').repeat(16), reads: false },
    flood('many ranges of a file', () =>
      get('/data/locations.csv', `Range: bytes=${'0-1,'.repeat(1_000)}2-3\r\n`),
    ),
    flood('searches', () => compressed),
    {
      ...flood('searches that are read slowly', () => plain),
      drip: { everyMs: 500, text: () => '' },
      reads: false,
    },
  ];
}

/** All sequences. */
export function hostileSequences(bait: Bait): HostileSequence[] {
  return [...unfinished(bait), ...costly(bait), ...unread(bait)];
}
