import { createHash } from 'node:crypto';
import { between, chance, durationOf, during, happens, pick } from './faults.ts';
import { machine, OK, type SimReply } from './machine.ts';

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;

/** A row of a feed. The hotel identifies the package: each package has a hotel and a resort of its own. */
export interface Row {
  hotel: string;
  /** Pence. */
  price: number;
  departs: string;
  isDeleted?: boolean;
  sequence?: number;
}

/** What a provider exported. Two files with the same text are the same feed. */
export interface FeedFile {
  text: string;
  checksum: string;
  rows: Row[];
  isChanges: boolean;
  /** When the product can know that it was made; when the server says that it was made. Ms since 1970. */
  madeAt: number;
  stampedAt: number;
  /** The product has recorded an attempt with it. */
  isRecorded: boolean;
  /** The rows cannot be read. */
  isUnusable: boolean;
  /** The numbers of its changes, or the last one that a full feed includes. */
  first: number;
  last: number;
}

/** What a server did with a request for a feed. */
export interface Delivery {
  kind: 'file' | 'not modified' | 'fault';
  file: FeedFile | null;
  isChanges: boolean;
  steady: number;
}

interface Package {
  row: Row;
  /** The price around which it moves. */
  usual: number;
  isOnSale: boolean;
}

const SERVER_FAULTS = [
  'feed down',
  'feed hangs',
  'feed drips',
  'feed refuses',
  'feed is HTML',
  'feed is cut off',
  'feed is the file before',
] as const;

export type FeedServer = ReturnType<typeof feedServer>;

const LONDON = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });
export const londonDay = (ms: number) => LONDON.format(ms);
/** As a header's date says it. */
const headerTime = (ms: number) => Math.floor(ms / 1_000) * 1_000;
const dayAfter = (ms: number, days: number) => londonDay(ms + days * DAY_MS);

/** A provider's exports, and the server from which they are fetched. */
export function feedServer(index: number, packages: number) {
  const code = ['ALFA', 'BRAV', 'CHAR', 'DELT', 'ECHO'][index] ?? `P${index}`;
  /** Servers without a date, without any version, and with both. */
  const isDated = index !== 1;
  const hasEtag = index !== 2;
  const hasChanges = index >= 3;
  let made = 0;
  let sequence = 1;
  let stoppedUntil = 0;
  let fault: (typeof SERVER_FAULTS)[number] | null = null;
  const stock: Package[] = Array.from({ length: packages }, newPackage);
  let changed = new Map<string, Row>();
  const files: FeedFile[] = [];
  let changes: FeedFile | null = null;
  const server = {
    code,
    /** What providers.json calls it. */
    name: code,
    isDated,
    hasChanges,
    hour: 2 + index * 0.25,
    /** Hours after which its packages go off sale unless they are seen again; null: the product's default. */
    maxAge: index === 0 ? 36 : null,
    /** Every file by checksum. */
    known: new Map<string, FeedFile>(),
    deliveries: [] as Delivery[],
    /** When the server's faults last ended, on the steady clock; infinity while one lasts. */
    faultlessSince: 0,
    current: () => files.at(-1) ?? null,
    exportFull,
    exportChanges,
    respond,
    startDay,
  };

  function newPackage(): Package {
    made += 1;
    const usual = Math.round(between(1_200, 2_600)) * 100;
    const departs = dayAfter(machine.trueNow(), Math.ceil(between(20, 330)));
    return { row: { hotel: `${code} ${made}`, price: usual, departs }, usual, isOnSale: true };
  }

  function movePrices(): void {
    for (const one of stock) {
      const before = one.row;
      const wasOnSale = one.isOnSale;
      if (one.row.departs <= dayAfter(machine.trueNow(), 2)) Object.assign(one, newPackage());
      const luck = machine.random();
      const factor =
        luck < 0.06
          ? between(0.75, 0.92)
          : luck < 0.1
            ? between(1.08, 1.3)
            : luck < 0.3
              ? between(0.97, 1.03)
              : 1;
      const real = luck > 0.997 ? pick([0.02, 0.28, 3.4]) : factor;
      const isFar = one.row.price < one.usual * 0.6 || one.row.price > one.usual * 1.6;
      const pull = factor !== 1 && isFar ? (one.usual / one.row.price) ** 0.5 : 1;
      one.row = { ...one.row, price: Math.max(1_000, Math.round((one.row.price * real * pull) / 100) * 100) };
      if (one.isOnSale ? luck > 0.3 && luck < 0.32 : luck < 0.5) one.isOnSale = !one.isOnSale;
      if (before === one.row || (before.price === one.row.price && wasOnSale === one.isOnSale)) continue;
      if (before.hotel !== one.row.hotel) changed.set(before.hotel, { ...before, isDeleted: true });
      changed.set(one.row.hotel, { ...one.row, isDeleted: !one.isOnSale });
    }
  }

  function file(rows: Row[], isChanges: boolean, damage: string | null): FeedFile {
    const numbers = rows.flatMap(({ sequence: one }) => one ?? []);
    const text = rows.map((row) => lineOf(code, row, damage)).join('');
    const checksum = createHash('sha256').update(text).digest('hex');
    const now = machine.trueNow();
    const same = server.known.get(checksum);
    const one: FeedFile = {
      text,
      checksum,
      rows,
      isChanges,
      madeAt: same?.madeAt ?? now,
      stampedAt: headerTime(now),
      isRecorded: same?.isRecorded ?? false,
      isUnusable: damage === 'another schema',
      first: Math.min(...numbers),
      last: Math.max(...numbers),
    };
    if (same === undefined) server.known.set(checksum, one);
    return one;
  }

  /** Keeps what a file says, without its text, which is never served again. A year of texts fills the heap. */
  function release(one: FeedFile | null | undefined): void {
    if (one) one.text = '';
  }

  /** Makes the nightly file. Returns what is wrong with it. */
  function exportFull(): string {
    if (machine.steady < stoppedUntil) return 'stopped';
    if (happens('export stops', code)) {
      stoppedUntil = machine.steady + durationOf('export stops', code);
      return 'stopped';
    }
    const last = files.at(-1);
    if (last !== undefined && happens('export is only stamped again', code)) {
      files.push({ ...last, stampedAt: headerTime(machine.trueNow()) });
      return 'stamped again';
    }
    movePrices();
    const from = sequence;
    // A full feed includes every change so far.
    if (hasChanges) sequence += changed.size;
    changed = new Map();
    const rows = stock.filter(({ isOnSale }) => isOnSale).map(({ row }) => ({ ...row }));
    if (hasChanges) for (const row of rows) row.sequence = Math.max(from, sequence - 1);
    let damage: string | null = null;
    if (happens('export is half', code)) {
      damage = 'half';
      rows.length = Math.floor(rows.length / 2);
    } else if (happens('export in other units', code)) {
      damage = 'other units';
      const factor = pick([3.5, 0.3]);
      for (const row of rows) row.price = Math.max(1, Math.round(row.price * factor));
    } else if (happens('export with some wrong prices', code)) {
      damage = 'some wrong prices';
      for (const row of rows) if (chance(0.06)) row.price = Math.round(row.price * pick([0.25, 4]));
    } else if (happens('export with another schema', code)) damage = 'another schema';
    const made = file(rows, false, damage);
    files.push(made);
    if (files.length > 3) release(files.shift());
    release(changes);
    changes = null;
    return damage ?? 'whole';
  }

  /** Adds to the file of changes since the last full feed. */
  function exportChanges(): void {
    if (!hasChanges || machine.steady < stoppedUntil) return;
    movePrices();
    const rows = [...changed.values()].map((row) => ({ ...row, sequence: sequence++ }));
    changed = new Map();
    const earlier = changes?.rows ?? [];
    const kept = happens('export loses changes', code) ? [] : earlier;
    const all = [...kept, ...rows];
    // The order of lines means nothing.
    if (all.length === 0) return;
    release(changes);
    changes = file(chance(0.5) ? all : all.toReversed(), true, null);
  }

  /** Draws the faults of the server for a day. */
  function startDay(): void {
    for (const name of SERVER_FAULTS) {
      let isOwn = false;
      const begin = () => {
        isOwn = fault === null;
        fault ??= name;
        server.faultlessSince = Number.POSITIVE_INFINITY;
      };
      during(name, code, begin, () => {
        if (!isOwn) return;
        fault = null;
        server.faultlessSince = machine.steady;
      });
    }
  }

  function respond(path: string, headers: Record<string, string>): SimReply {
    const isChanges = path.endsWith('changes');
    const isOld = fault === 'feed is the file before' && isDated && !isChanges && files.length > 1;
    const served = isChanges ? changes : (files.at(isOld ? -2 : -1) ?? null);
    const reply: SimReply = { ...OK, delayMs: Math.ceil(between(20, 900)) };
    const deliver = (kind: Delivery['kind'], change: Partial<SimReply>): SimReply => {
      const own = served === null ? undefined : server.known.get(served.checksum);
      if (kind === 'file' && own?.isRecorded === false)
        own.madeAt = Math.min(isDated && served !== null ? served.stampedAt : machine.now(), machine.now());
      server.deliveries.push({ kind, file: served, isChanges, steady: machine.steady });
      return { ...reply, ...change };
    };
    if (fault === 'feed down') return deliver('fault', { status: 0, end: 'lost' });
    if (fault === 'feed hangs')
      return deliver('fault', { status: chance(0.5) ? 0 : 200, end: 'hangs', body: 'x' });
    if (fault === 'feed drips') return deliver('fault', { end: 'drips', body: 'x' });
    if (fault === 'feed refuses' || served === null)
      return deliver('fault', { status: pick([503, 429, 401, 404]) });
    if (fault === 'feed is HTML') return deliver('fault', { body: '<html><p>Sorry!</p></html>' });
    const etag = `"${served.checksum.slice(0, 12)}${served.stampedAt}"`;
    const modified = new Date(served.stampedAt).toUTCString();
    const version = { ...(hasEtag ? { etag } : {}), ...(isDated ? { 'last-modified': modified } : {}) };
    const asked = headers['if-none-match'] ?? headers['if-modified-since'];
    if (asked !== undefined && (asked === etag || asked === modified))
      return deliver('not modified', { status: 304 });
    const length = { 'content-length': String(Buffer.byteLength(served.text)) };
    if (fault === 'feed is cut off')
      return deliver('fault', {
        end: 'lost',
        headers: length,
        body: served.text.slice(0, served.text.length / 2),
      });
    return deliver('file', { headers: { ...version, ...length }, body: served.text });
  }

  return server;
}

function lineOf(code: string, row: Row, damage: string | null): string {
  const number = row.hotel.replace(/\D/g, '');
  const price = damage === 'another schema' ? { Price: row.price / 100 } : { TotalPrice: row.price / 100 };
  const change = row.sequence === undefined ? {} : { Sequence: row.sequence };
  return `${JSON.stringify({
    ...price,
    ...change,
    ...(row.isDeleted ? { Deleted: true } : {}),
    HolidayCountry: 'Spain',
    HolidayRegion: 'Costa Blanca',
    HolidayResort: `Resort ${row.hotel}`,
    HotelName: `Hotel ${row.hotel}`,
    StarRating: 4,
    HotelIdentifierCode: `H${number}`,
    DepartureDate: row.departs,
    Duration: 7,
    BoardBasis: 'HB',
    Brand: code,
    DepartureAirportCode_Outbound: 'LGW',
    ArrivalAirportCode_Outbound: 'ALC',
    RoomTypeDescription: 'Double room',
    DeeplinkUrl: `https://www.${code.toLowerCase()}.example/${number}`,
  })}\n`;
}

export function itemKeyOf(hotel: string, departs: string): string {
  return `${hotel.slice(0, 4)}:H${hotel.slice(5)}:LGW:${departs}:7:HB:DOUBLE-ROOM:2-0-0`;
}

/** When a provider's daily run is due before or after a time, in ms since 1970. */
export function dailyRun(hour: number, now: number, isNext: boolean): number {
  const today = Math.floor(now / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return isNext ? (today > now ? today : today + DAY_MS) : today <= now ? today : today - DAY_MS;
}
