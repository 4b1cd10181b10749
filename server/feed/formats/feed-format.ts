import type { FeedMapping } from './awin-csv/mapping.ts';
import { readAwinCsv } from './awin-csv/read.ts';
import { HEAD_BYTES } from './feed-bytes.ts';
import { readItemsCsv } from './items-csv/read.ts';
import { readItemsJson } from './items-json/read.ts';
import { type FeedBytes, FeedFault, type RawRow } from './raw-row.ts';

export const FEED_FORMATS = ['items-json', 'items-csv', 'awin-csv'] as const;

export type FormatName = (typeof FEED_FORMATS)[number];

/** How a feed of one format is read. */
export interface FeedFormat {
  name: FormatName;
  read(bytes: FeedBytes): AsyncIterable<RawRow[]>;
}

/**
 * The format of a feed that begins with `head`: the one asked for, or the one that it looks like. An affiliate
 * network's needs the operator's mapping. Throws a FeedFault that says what to do.
 */
export function chooseFormat(
  head: Uint8Array,
  asked: FormatName | null,
  mapping: FeedMapping | null,
): FeedFormat {
  const text = Buffer.from(head)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  refuseOtherText(head, text);
  const name = asked ?? (mapping === null ? looksLike(text) : 'awin-csv');
  if (name === 'awin-csv') {
    if (mapping === null) {
      throw new FeedFault(
        "The feed is taken for an affiliate network's CSV, which needs a mapping: give --mapping FILE (docs/feeds.md has one to begin with). A feed of items begins with a brace, or with a header that names TotalPrice.",
      );
    }
    return { name, read: (bytes) => readAwinCsv(bytes, mapping) };
  }
  if (mapping !== null)
    throw new FeedFault(`A mapping is for --format awin-csv; ${name} has the item's own names.`);
  if (name === 'items-csv') return { name, read: readItemsCsv };
  if (text.startsWith('[')) {
    throw new FeedFault(
      'The feed is one JSON array. It takes an item a line, without the brackets and the commas between.',
    );
  }
  if (/^\{\s*[\r\n]/.test(text)) {
    throw new FeedFault(
      "The feed's JSON is spread over lines. It takes an item a line: write each without line breaks (jq -c . does).",
    );
  }
  return { name, read: readItemsJson };
}

function looksLike(text: string): FormatName {
  if (text.startsWith('{') || text.startsWith('[')) return 'items-json';
  return /^[^\n\r]*\bTotalPrice\b/.test(text) ? 'items-csv' : 'awin-csv';
}

function refuseOtherText(head: Uint8Array, text: string): void {
  const [first, second] = head;
  if (
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff) ||
    head.subarray(0, 4).filter((byte) => byte === 0).length > 1
  ) {
    throw new FeedFault('The feed is UTF-16 text or no text at all: save it as UTF-8 and try again.');
  }
  if (text === '' && head.length < HEAD_BYTES)
    throw new FeedFault(
      "The feed is empty. Nothing was changed; to end a provider's offers, run npm run feed -- remove --provider CODE.",
    );
  if (/^<(?:\?xml|!doctype|html)/i.test(text))
    throw new FeedFault(
      'The feed is XML or a web page, perhaps an error page: ask for CSV or for an item of JSON a line.',
    );
}
