import type { FeedMapping } from './awin-csv/mapping.ts';
import { readAwinCsv } from './awin-csv/read.ts';
import { readItemsCsv } from './items-csv/read.ts';
import { readItemsJson } from './items-json/read.ts';
import { type FeedBytes, FeedFault, type RawRow } from './raw-row.ts';

/** Bytes that suffice to detect a format. */
export const HEAD_BYTES = 65_536;

export const FEED_FORMATS = ['items-json', 'items-csv', 'awin-csv'] as const;

export type FormatName = (typeof FEED_FORMATS)[number];

/** The reader of one format. */
export interface FeedFormat {
  name: FormatName;
  read(bytes: FeedBytes): AsyncIterable<RawRow[]>;
  /** The column that a field is mapped to; undefined without a mapping, and for a constant. */
  columnOf(field: string): string | undefined;
}

/**
 * The requested format, or the one detected in `head`. An affiliate network's feed needs a mapping. Throws a
 * FeedFault that says what to do.
 */
export function chooseFormat(
  head: Uint8Array,
  requested: FormatName | null,
  mapping: FeedMapping | null,
): FeedFormat {
  const text = Buffer.from(head)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  refuseOtherText(head, text);
  const name = requested ?? (mapping === null ? looksLike(text) : 'awin-csv');
  if (name === 'awin-csv') {
    if (mapping === null) {
      throw new FeedFault(
        "The feed looks like an affiliate network's CSV, which needs a mapping: use --mapping FILE (docs/feeds.md has an example). A feed of items begins with a brace, or with a header that includes TotalPrice.",
      );
    }
    return {
      name,
      read: (bytes) => readAwinCsv(bytes, mapping),
      columnOf: (field) => mapping.fields[field]?.column,
    };
  }
  if (mapping !== null)
    throw new FeedFault(`A mapping can only be used with --format awin-csv, not with ${name}.`);
  if (name === 'items-csv') return { name, read: readItemsCsv, columnOf: notMapped };
  if (text.startsWith('[')) {
    throw new FeedFault(
      "The feed is one JSON array. Each item must be on a line of its own, without brackets or commas between the items (jq -c '.[]' does that).",
    );
  }
  if (/^\{\s*[\r\n]/.test(text)) {
    throw new FeedFault(
      "The feed's JSON items span several lines. Each must be on one line (jq -c . does that).",
    );
  }
  return { name, read: readItemsJson, columnOf: notMapped };
}

const notMapped = () => undefined;

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
    throw new FeedFault('The feed is UTF-16 or binary: save it as UTF-8 text and try again.');
  }
  if (text === '' && head.length < HEAD_BYTES)
    throw new FeedFault(
      "The feed is empty; nothing was changed. To remove the provider's packages, run npm run feed -- remove --provider CODE.",
    );
  if (/^<(?:\?xml|!doctype|html)/i.test(text))
    throw new FeedFault(
      'The feed is XML or a web page, perhaps an error page. It must be CSV, or JSON with one item per line.',
    );
}
