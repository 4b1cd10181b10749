import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { errorMessage } from '../../lib/error-message.ts';
import { type FeedBytes, FeedFault } from '../formats/raw-row.ts';

/** What archivers add of their own. */
const NOT_A_FEED = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$)|\/$/i;

/** More entries than a feed's zip can need; beyond, nothing is listed. */
const MOST_ENTRIES = 100;

/** How the reader of zips says that a name leads out of the folder that it would be unpacked in. */
const LEADS_OUT = /^(?:absolute path|invalid relative path): (.{1,80})/su;

/** The bytes of the one file in a zip. Throws a FeedFault where there is none, more than one, or one with a password
 * or a name that leads elsewhere. */
export async function openFromFile(path: string, onRead: (bytes: number) => void): Promise<FeedBytes> {
  const zip = await promisify((done: (error: Error | null, zip?: yauzl.ZipFile) => void) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false }, done),
  )();
  if (zip === undefined) throw new FeedFault('The zip cannot be opened.');
  try {
    const [entry, another] = await feedEntries(zip);
    if (entry === undefined) throw new FeedFault('The zip holds no file: it takes one with one feed in it.');
    if (another !== undefined) {
      throw new FeedFault(
        `The zip holds more than one file (${entry.fileName}, ${another.fileName}): it takes one with one feed in it.`,
      );
    }
    if ((entry.generalPurposeBitFlag & 1) !== 0)
      throw new FeedFault('The zip has a password: give it without.');
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
      `The zip names a file outside itself (${name}), as no feed's does: nothing of it was unpacked. Ask the provider what it is.`,
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

/** How much of the file was read is told by how much came out of it. */
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
  if (sum !== entry.crc32) throw new Error('its checksum is another');
}
