import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AttemptDetail } from '../../../server/feed/attempts/attempt-table.ts';
import { openInventoryWriter } from '../../../server/ingest/open-inventory-writer.ts';
import type { OfferRow } from '../../../server/inventory/inventory.ts';
import { OFFER } from '../../../server/inventory/offer-columns.ts';
import { changingFeed, type FeedShape, SHAPE_MAPPING, written } from '../../fixtures/changing-feed.ts';
import { FEED_NOW, type FeedSite, makeFeedSite } from '../../fixtures/feed-site.ts';
import type { StoreKind } from '../../fixtures/test-stores.ts';

/** PostgreSQL takes seconds for each feed on a busy machine. */
const TIMEOUT_MS = 600_000;

const [OWN, SHARED, OTHER] = ['SUNW', 'TEMP', 'TEM2'];

const template = { linkHosts: ['t.example.test'], linkTemplate: 'https://t.example.test/{hotel}?on={date}' };

const PROVIDERS = {
  providers: [
    { code: OWN, name: 'Sunward', ...template },
    { code: SHARED, name: 'Template', ...template, hotelCodes: 'shared' },
    { code: OTHER, name: 'Other template', ...template, hotelCodes: 'shared' },
  ],
};

/** Random values of notes. */
const RANDOM = /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g;

/** Imports the same feeds into two stores, one of which forgets the last feed's lines before each import. */
export function itReadsOnlyNewLines(
  kind: StoreKind,
  shape: FeedShape,
  feeds: number,
  seeds: readonly number[],
) {
  let sites: readonly [FeedSite, FeedSite];
  beforeEach(async () => {
    sites = [await makeFeedSite(kind, PROVIDERS), await makeFeedSite(kind, PROVIDERS)];
  });
  afterEach(async () => {
    for (const site of sites) await site.close();
  });

  it.each(seeds)(
    'has the same store and report as reading the whole feed, for seed %i',
    async (seed) => {
      const market = changingFeed(seed);
      let partly = 0;
      for (let nth = 0; nth < feeds; nth += 1) {
        const lines = market.next();
        const provider =
          [OWN, OWN, SHARED, SHARED, SHARED, OTHER][seed % 2 === 0 ? 0 : market.below(6)] ?? OWN;
        const accepts = market.below(4) > 0;
        const check = market.below(4) === 0 ? market.below(1_000) : null;
        const results = [];
        for (const [number, site] of sites.entries()) {
          if (check !== null) await checkPrice(site, market.now(), check);
          site.setNow(market.now());
          if (number === 1) forgetLines(site);
          site.file('mapping.json', SHAPE_MAPPING);
          const mapping = shape.startsWith('mapped') ? ['--mapping', 'mapping.json'] : [];
          const words = ['import', '-', '--provider', provider, '--format', shape, ...mapping];
          const { exit, out } = await site.run(
            [...words, ...(accepts ? ['--accept'] : [])],
            written(shape, lines),
          );
          results.push({ exit, out: out.replaceAll(site.folder, ''), ...(await stateOf(site)) });
        }
        const [fast, whole] = results;
        const part = fast?.attempts[0]?.isPart === true;
        if (part) partly += 1;
        expect(whole?.attempts.every(({ isPart }) => !isPart)).toBe(true);
        expect(withoutParts(fast), `feed ${nth} of ${provider}, ${part ? 'in part' : 'whole'}`).toEqual(
          withoutParts(whole),
        );
      }
      expect(partly).toBeGreaterThan(feeds / 12);
    },
    TIMEOUT_MS,
  );
}

function withoutParts(state: Awaited<ReturnType<typeof stateOf>> | undefined) {
  return { ...state, attempts: state?.attempts.map((attempt) => ({ ...attempt, isPart: null })) };
}

function forgetLines({ folder }: FeedSite): void {
  for (const provider of [OWN, SHARED, OTHER])
    try {
      const feeds = join(folder, 'feeds', provider ?? '');
      for (const name of readdirSync(feeds)) if (name.endsWith('.lines')) rmSync(join(feeds, name));
    } catch {}
}

/** Everything that an import may change, and its reports. */
async function stateOf(site: FeedSite) {
  const tables = (await site.everything()) as [string, string[]][];
  const reports = join(site.folder, 'feed-reports');
  const attempts = await site.ask(
    'select provider, started_at, outcome, message, detail from feed_attempt order by id desc limit 5',
  );
  return {
    tables: tables.map(([table, rows]) => [table, rows.map((row) => row.replace(RANDOM, 'random'))]),
    quarantine: (await site.ask('select * from feed_quarantine')).map(String).toSorted(),
    blocks: (await site.ask('select * from price_block')).map(String).toSorted(),
    reports: listed(reports).map((name) => readFileSync(join(reports, name), 'utf8')),
    attempts: attempts.map(([provider, startedAt, outcome, message, text]) => {
      const { lines, ...detail } = JSON.parse(String(text)) as AttemptDetail;
      const isPart = lines !== undefined && lines !== null && lines.wholeAt !== Number(startedAt);
      return { provider, startedAt, outcome, message, isPart, detail: JSON.stringify(detail) };
    }),
  };
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** A provider says that a package is sold out, or has another price, shortly before the next import. */
async function checkPrice(site: FeedSite, now: number, which: number): Promise<void> {
  const offers = await site.offers();
  const offer = offers[which % Math.max(1, offers.length)];
  if (offer === undefined) return;
  const minute = Math.floor(Math.max(FEED_NOW, now - 30 * 60_000) / 60_000);
  const key = offer.slice(0, 11);
  const said =
    which % 2 === 0
      ? offer.with(OFFER.expiresAt, minute)
      : offer.with(OFFER.price, offer[OFFER.price] + 100).with(OFFER.seenAt, minute);
  const writer = await openInventoryWriter(site.address);
  await writer.writeOffers([said as unknown as OfferRow]);
  await writer.close();
  const [code] = (
    await site.ask(
      `select provider.code || ':' || hotel.code || ':' || airport.code || ':' from provider, hotel, airport
     where provider.id = ${key[10]} and hotel.id = ${key[7]} and airport.id = ${key[6]}`,
    )
  )[0] as [string];
  const [board, room] = (
    await site.ask(
      `select board.code, room.code from board, room where board.id = ${key[8]} and room.id = ${key[9]}`,
    )
  )[0] as [string, string];
  const day = new Date(offer[0] * 86_400_000).toISOString().slice(0, 10);
  const item = `${code}${day}:${offer[1]}:${board}:${encodeURIComponent(room)}:2-0-0`;
  await site.ask(`insert into site_visit (provider, item_key, price, visited_at, next_price, is_check)
    values (${key[10]}, '${item}', ${offer[11]}, ${minute}, null, 1)`);
}
