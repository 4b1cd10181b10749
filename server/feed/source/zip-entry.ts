import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { errorMessage } from '../../lib/error-message.ts';
import { type FeedBytes, FeedFault } from '../formats/raw-row.ts';

/** Files that archivers and desktops add. */
const NOT_A_FEED = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$)|\/$/i;

/** Further entries are not read. */
const MOST_ENTRIES = 100;

/** yauzl's message for an entry whose path leaves the archive. */
const LEADS_OUT = /^(?:absolute path|invalid relative path): (.{1,80})/su;

/**
 * Reads the only file in a zip. Throws a FeedFault if there is none or more than one, or if it is encrypted or its path
 * leaves the archive.
 */
export async function openFromFile(path: string, onRead: (bytes: number) => void): Promise<FeedBytes> {
  const zip = await promisify((done: (error: Error | null, zip?: yauzl.ZipFile) => void) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false }, done),
  )();
  if (zip === undefined) throw new FeedFault('The zip cannot be opened.');
  try {
    const [entry, another] = await feedEntries(zip);
    if (entry === undefined)
      throw new FeedFault('The zip has no file in it. It must have exactly one, the feed.');
    if (another !== undefined) {
      throw new FeedFault(
        `The zip has more than one file (${entry.fileName}, ${another.fileName}). It must have exactly one, the feed.`,
      );
    }
    if ((entry.generalPurposeBitFlag & 1) !== 0)
      throw new FeedFault('The zip is encrypted: create it without a password.');
    const stream = await promisify((done: (error: Error | null, stream?: Readable) => void) =>
      zip.openReadStream(entry, done),
    )();
    if (stream === undefined) throw new FeedFault('The zip cannot be read.');
    stream.once('close', () => zip.close());
    return counting(stream, entry, onRead);
  } catch (error) {
    zip.close();
    const name = LEADS_OUT.exec(errorMessage(error))?.[1];
    if (name === undefined) throw error;
    throw new FeedFault(
      `The zip has a file path outside the archive (${name}), which is unsafe: nothing was extracted. Ask the provider about it.`,
    );
  }
}

async function feedEntries(zip: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  const found: yauzl.Entry[] = [];
  let seen = 0;
  zip.on('entry', (entry: yauzl.Entry) => {
    seen += 1;
    if (!NOT_A_FEED.test(entry.fileName)) found.push(entry);
    if (found.length > 1 || seen > MOST_ENTRIES) zip.emit('end');
    else zip.readEntry();
  });
  const ended = once(zip, 'end');
  zip.readEntry();
  await ended;
  return found;
}

/** Estimates the compressed bytes read from the uncompressed ones. */
async function* counting(
  stream: Readable,
  entry: yauzl.Entry,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let unpacked = 0;
  let sum = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    unpacked += chunk.length;
    sum = crc32(chunk, sum);
    onRead(Math.round((unpacked / Math.max(1, entry.uncompressedSize)) * entry.compressedSize));
    yield chunk;
  }
  if (sum !== entry.crc32) throw new Error('its checksum is wrong');
}
