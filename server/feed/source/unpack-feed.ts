import { createReadStream } from 'node:fs';
import { basename, matchesGlob } from 'node:path';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createGunzip } from 'node:zlib';
import yauzl from 'yauzl';
import { errorMessage } from '../../lib/error-message.ts';
import { FeedFault } from '../formats/raw-row.ts';

const CHUNK = 262_144;

const MARK = Buffer.from('\uFEFF');

/** Unsupported formats, by their first bytes. */
const OTHERS: readonly [name: string, bytes: readonly number[]][] = [
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['Zstandard', [0x28, 0xb5, 0x2f, 0xfd]],
  ['7-Zip', [0x37, 0x7a, 0xbc, 0xaf]],
  ['RAR', [0x52, 0x61, 0x72, 0x21]],
  ['PDF', [0x25, 0x50, 0x44, 0x46]],
];

/**
 * Reads a feed file without a byte order mark, and decompresses gzip and zip, detected by their first bytes. `onRead` gets the bytes
 * read so far. Throws a FeedFault for other formats, double compression and damage.
 */
export async function* unpackFeed(
  path: string,
  onRead: (bytes: number) => Promise<void>,
  /** The file to read from an archive; null: its only one. */
  wanted: string | null = null,
): AsyncGenerator<Uint8Array> {
  const packing = packingOf(await buffer(createReadStream(path, { end: 7 })));
  let isFirst = true;
  try {
    for await (const chunk of open(path, packing, onRead, wanted)) {
      if (isFirst && packing !== null && packingOf(chunk) !== null)
        throw new FeedFault(`The feed is compressed twice: decompress the ${packing} once and try again.`);
      yield isFirst && MARK.equals(chunk.subarray(0, MARK.length)) ? chunk.subarray(MARK.length) : chunk;
      isFirst = false;
    }
  } catch (error) {
    if (error instanceof FeedFault || packing === null) throw error;
    throw new FeedFault(
      `The feed's ${packing} is damaged or cut off (${errorMessage(error)}): fetch it again.`,
      { cause: error },
    );
  }
}

/** The first bytes of an unpacked feed: at least `length`, unless it ends before. */
export async function headOf(path: string, length: number, wanted: string | null = null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of unpackFeed(path, async () => {}, wanted)) {
    chunks.push(chunk);
    read += chunk.length;
    if (read >= length) break;
  }
  return Buffer.concat(chunks);
}

async function* open(
  path: string,
  packing: string | null,
  onRead: (bytes: number) => Promise<void>,
  wanted: string | null,
): AsyncGenerator<Uint8Array> {
  if (packing === 'zip') return yield* readZip(path, onRead, wanted);
  const file = createReadStream(path, { highWaterMark: CHUNK });
  // Errors reach the loop, and leaving it closes the file.
  const unpacked = packing === null ? file : pipeline(file, createGunzip({ chunkSize: CHUNK }), () => {});
  for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
    await onRead(file.bytesRead);
    yield chunk;
  }
}

function packingOf(head: Uint8Array): 'gzip' | 'zip' | null {
  const begins = (bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte);
  if (begins([0x1f, 0x8b])) return 'gzip';
  if (begins([0x50, 0x4b, 0x03, 0x04]) || begins([0x50, 0x4b, 0x05, 0x06])) return 'zip';
  const other = OTHERS.find(([, bytes]) => begins(bytes));
  if (other !== undefined)
    throw new FeedFault(
      `The feed is a ${other[0]} file, which is not supported: use plain text, gzip or zip.`,
    );
  return null;
}

/** Files that archivers and desktops add, and that describe a feed. */
const NOT_A_FEED =
  /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|(?:read[-_ ]?me|licen[cs]e|terms|changelog)[^/]*$)|\.(?:md|pdf|html?|xsd|dtd|docx?|md5|sha\d*|sig)$|\/$/i;

/**
 * Reads the only file in a zip; `onRead` gets an estimate of the compressed bytes read. Throws a FeedFault if
 * there is no single file, or it is encrypted, and another error for damage.
 */
async function* readZip(
  path: string,
  onRead: (bytes: number) => Promise<void>,
  wanted: string | null,
): AsyncGenerator<Uint8Array> {
  const zip = await yauzl.openPromise(path, { autoClose: false });
  try {
    const entry = await onlyFile(zip, wanted);
    let unpacked = 0;
    let sum = 0;
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
      unpacked += chunk.length;
      sum = crc32(chunk, sum);
      await onRead(Math.round((unpacked / Math.max(1, entry.uncompressedSize)) * entry.compressedSize));
      yield chunk;
    }
    if (sum !== entry.crc32) throw new Error('its checksum is wrong');
  } finally {
    zip.close();
  }
}

async function onlyFile(zip: yauzl.ZipFile, wanted: string | null): Promise<yauzl.Entry> {
  const isWanted =
    wanted === null
      ? (name: string) => !NOT_A_FEED.test(name)
      : (name: string) => matchesGlob(name, wanted) || matchesGlob(basename(name), wanted);
  const found: yauzl.Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (isWanted(entry.fileName)) found.push(entry);
    if (found.length > 1) break;
  }
  const [entry, another] = found;
  if (entry === undefined)
    throw new FeedFault(
      wanted === null
        ? 'The zip has no file in it. It must have exactly one, the feed.'
        : `The zip has no file ${wanted}, which "file" in the mapping names.`,
    );
  if (another !== undefined) {
    throw new FeedFault(
      `The zip has more than one file (${entry.fileName}, ${another.fileName}). Name the feed with "file" in the mapping.`,
    );
  }
  if ((entry.generalPurposeBitFlag & 1) !== 0)
    throw new FeedFault('The zip is encrypted: create it without a password.');
  return entry;
}
