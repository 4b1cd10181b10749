import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { batchesOf } from '../../server/lib/batches.ts';
import { type Cell, type FeedRow, type RealisticFeed, realisticRows } from './realistic-feed.ts';

export const WRITTEN_FORMATS = ['items-json', 'items-csv', 'mapped-csv', 'mapped-xml'] as const;

export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

export interface WrittenFeed {
  path: string;
  mapping: string | null;
}

const BOARD_WORDS: Readonly<Record<string, string>> = {
  SC: 'Self Catering',
  BB: 'Bed & Breakfast',
  HB: 'Half Board',
  FB: 'Full Board',
  AI: 'All Inclusive',
};

/** Writes a realistic feed in one of the formats. */
export async function writeFeed(
  folder: string,
  format: WrittenFormat,
  feed: RealisticFeed,
): Promise<WrittenFeed> {
  const path = join(folder, `${format}.feed`);
  const { header, line, end = '' } = WRITERS[format];
  function* text(): Generator<string> {
    if (header !== '') yield `${header}\n`;
    for (const rows of batchesOf(realisticRows(feed), 500))
      yield rows.map((row) => `${line(row)}\n`).join('');
    yield end;
  }
  await pipeline(Readable.from(text()), createWriteStream(path));
  if (!format.startsWith('mapped')) return { path, mapping: null };
  const mapping = join(folder, 'mapping.json');
  writeFileSync(mapping, JSON.stringify(MAPPING));
  return { path, mapping };
}

function itemOf({ item, hotel, flight, link }: FeedRow): Record<string, Cell> {
  const texts = { Hotel: hotel, Flight: flight, AdditionalData: { DeeplinkUrl: link } };
  return {
    ...item,
    ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, JSON.stringify(value)])),
  };
}

const ITEM_COLUMNS = `ItemKey TotalPrice TotalPriceBeforeDiscount HolidayCountry HolidayRegion
  HolidayResort Hotel Flight AdditionalData FlightNumber_Outbound
  FlightNumber_Inbound DepartureDate Duration BoardBasis Brand
  DepartureAirportCode_Outbound DepartureAirportCode_Inbound FreeChild LuggageIncluded HotelIdentifierCode
  NumberOfAdults NumberOfChildren NumberOfInfants Occupancy RoomCount
  RoomTypeDescription Expiry`.split(/\s+/);

/** The columns of an affiliate network's feed, including some that the import does not read. */
const NETWORK_COLUMNS: Readonly<Record<string, (row: FeedRow) => Cell>> = {
  aw_product_id: ({ item }) => item.ItemKey,
  merchant_product_id: ({ item }) => item.HotelIdentifierCode,
  product_name: ({ item, hotel }) =>
    `${String(hotel.HotelName).replaceAll(',', '')}, ${item.HolidayResort} - ${item.Duration} nights from ${item.DepartureAirportCode_Outbound}`,
  description: ({ item, hotel }) =>
    `${hotel.StarRating}* in ${item.HolidayResort}, "${BOARD_WORDS[String(item.BoardBasis).toUpperCase()]}": flights from ${item.DepartureAirportCode_Outbound}, transfers and one bag. Close to the beach, with pools, two restaurants and evening entertainment.`,
  aw_deep_link: ({ link }) => link,
  merchant_deep_link: ({ link }) => link,
  image_url: ({ image }) => image,
  search_price: ({ item }) => Number(item.TotalPrice).toLocaleString('en-GB', { minimumFractionDigits: 2 }),
  rrp_price: ({ item }) => item.TotalPriceBeforeDiscount,
  currency: () => 'GBP',
  valid_from: () => '2020-01-01 00:00:00',
  valid_to: ({ item }) => String(item.Expiry).slice(0, 19).replace('T', ' '),
  in_stock: () => 1,
  brand_name: () => 'Made',
  merchant_name: () => 'Made up holidays',
  custom1: ({ item }) => String(item.DepartureDate).split('-').reverse().join('/'),
  custom2: ({ item }) => BOARD_WORDS[String(item.BoardBasis).toUpperCase()],
  custom3: ({ item }) => `${item.HolidayRegion}|${item.HolidayCountry}`,
  custom4: ({ hotel }) => hotel.StarRating,
  custom5: ({ item }) => item.DepartureAirportCode_Inbound,
  custom6: ({ item }) => item.RoomTypeDescription,
  custom7: ({ flight }) => flight.DepartureDateTime_Outbound,
  custom8: ({ flight }) => flight.DepartureDateTime_Inbound,
  custom9: ({ item }) => item.FlightNumber_Outbound,
};

const MAPPING = {
  rows: 'product',
  fields: {
    HotelName: { column: 'product_name', pattern: '{}, * - * nights from *' },
    HolidayResort: { column: 'product_name', pattern: '*, {} - * nights from *' },
    Duration: { column: 'product_name', pattern: '* - {} nights from *' },
    DepartureAirportCode_Outbound: { column: 'product_name', pattern: '* nights from {}' },
    HotelIdentifierCode: { column: 'merchant_product_id' },
    HolidayRegion: { column: 'custom3', pattern: '{}|*' },
    HolidayCountry: { column: 'custom3', pattern: '*|{}' },
    StarRating: { column: 'custom4' },
    ArrivalAirportCode_Outbound: { column: 'custom5' },
    RoomTypeDescription: { column: 'custom6' },
    DepartureDateTime_Outbound: { column: 'custom7' },
    DepartureDateTime_Inbound: { column: 'custom8' },
    FlightNumber_Outbound: { column: 'custom9' },
    BoardBasis: {
      column: 'custom2',
      values: Object.fromEntries(Object.entries(BOARD_WORDS).map(([code, words]) => [words, code])),
    },
    DepartureDate: { column: 'custom1', date: 'DD/MM/YYYY' },
    TotalPrice: { column: 'search_price', number: '1,234.56' },
    TotalPriceBeforeDiscount: { column: 'rrp_price' },
    Currency: { column: 'currency' },
    NumberOfAdults: { value: 2 },
    DeeplinkUrl: { column: 'aw_deep_link' },
    InStock: { column: 'in_stock', default: '1' },
    ValidFrom: { column: 'valid_from', date: 'YYYY-MM-DD HH:mm:ss' },
    Expiry: { column: 'valid_to', date: 'YYYY-MM-DD HH:mm:ss' },
  },
};

const WRITERS: Readonly<Record<WrittenFormat, { header: string; line(row: FeedRow): string; end?: string }>> =
  {
    'items-json': { header: '', line: (row) => JSON.stringify(itemOf(row)) },
    'items-csv': {
      header: ITEM_COLUMNS.join(','),
      line(row) {
        const item = itemOf(row);
        return ITEM_COLUMNS.map((column) => cell(item[column])).join(',');
      },
    },
    'mapped-csv': {
      header: Object.keys(NETWORK_COLUMNS).join(','),
      line: (row) =>
        Object.values(NETWORK_COLUMNS)
          .map((read) => cell(read(row)))
          .join(','),
    },
    'mapped-xml': {
      header: '<?xml version="1.0"?>\n<products>',
      line: (row) =>
        `<product>${Object.entries(NETWORK_COLUMNS)
          .map(([name, read]) => `<${name}>${element(read(row))}</${name}>`)
          .join('\n')}</product>`,
      end: '</products>\n',
    },
  };

function element(value: Cell): string {
  return String(value ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}

function cell(value: Cell): string {
  const text = value === undefined || value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
