import type { OfferRow } from '../inventory/inventory.ts';
import { chooseFormat, type FormatName, HEAD_BYTES } from './formats/feed-format.ts';
import type { FeedMapping } from './formats/mapped/mapping.ts';
import type { FeedDictionaries } from './map/feed-dictionaries.ts';
import type { FeedPackage } from './map/feed-package.ts';
import { type RowCounts, readPackages } from './map/read-packages.ts';
import type { FeedContext } from './map/to-feed-package.ts';
import type { RefusalFile } from './refusal-file.ts';
import { unpackFeed } from './source/unpack-feed.ts';
import type { Staging } from './write/staging.ts';

const MS_A_MINUTE = 60_000;

/** Packages whose names are looked up in one transaction. */
const BATCH = 2_000;

export interface StageOptions {
  path: string;
  /** Null: detected. */
  format: FormatName | null;
  mapping: FeedMapping | null;
  context: FeedContext;
  dictionaries: FeedDictionaries;
  staging: Staging;
  report: RefusalFile;
  /** Updated with every row. */
  counts: RowCounts;
  onStaged: (row: OfferRow, offer: FeedPackage) => void;
  /** Called after each batch with the packed bytes read so far. */
  onBatch: (bytesRead: number) => void;
}

/** Unpacks a feed, checks its rows and stages the valid ones. Returns the feed's format. */
export async function stageFeed(options: StageOptions): Promise<FormatName> {
  const { context, dictionaries, staging, counts, report, onStaged, onBatch } = options;
  let bytesRead = 0;
  const unpacked = unpackFeed(options.path, (bytes) => {
    bytesRead = bytes;
  });
  const format = chooseFormat(await headOf(options.path), options.format, options.mapping);
  report.locate(format.columnOf);
  const seenAt = Math.floor(context.now / MS_A_MINUTE);
  let batch: FeedPackage[] = [];

  function stageBatch(): void {
    const rows = dictionaries.rowsOf(batch, seenAt);
    for (const [nth, offer] of batch.entries()) {
      const made = rows[nth];
      if (made?.kind === 'row') {
        if (!offer.isDeleted) staging.add(made.row, offer.line);
        onStaged(made.row, offer);
        if (made.remarks.length > 0) report.remark(offer.line, made.remarks);
      } else {
        counts.refused += 1;
        report.add(offer.line, made?.problems ?? [], false);
      }
    }
    batch = [];
  }

  for await (const packages of readPackages(unpacked, format, context, report, counts)) {
    batch.push(...packages);
    if (batch.length >= BATCH) stageBatch();
    onBatch(bytesRead);
  }
  stageBatch();
  return format.name;
}

/** The first bytes of an unpacked feed. */
async function headOf(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of unpackFeed(path, () => {})) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks);
}
