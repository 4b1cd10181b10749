import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { errorMessage } from '../../lib/error-message.ts';
import { FeedFault } from '../formats/raw-row.ts';

/** Files that archivers and desktops add. */
const NOT_A_FEED = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$)|\/$/i;

/** Further entries are not read. */
const MAX_ENTRIES = 100;

/** yauzl's message for an entry whose path leaves the archive. */
const LEADS_OUT = /^(?:absolute path|invalid relative path): (.{1,80})/su;

/**
 * Reads the only file in a zip; `onRead` gets an estimate of the compressed bytes read. Throws a FeedFault if
 * there is no single file, or it is encrypted or leaves the archive, and another error for damage.
 */
export async function* readZip(path: string, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const zip = await yauzl.openPromise(path, { autoClose: false });
  try {
    const entry = await onlyFile(zip);
    let unpacked = 0;
    let sum = 0;
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
      unpacked += chunk.length;
      sum = crc32(chunk, sum);
      onRead(Math.round((unpacked / Math.max(1, entry.uncompressedSize)) * entry.compressedSize));
      yield chunk;
    }
    if (sum !== entry.crc32) throw new Error('its checksum is wrong');
  } finally {
    zip.close();
  }
}

async function onlyFile(zip: yauzl.ZipFile): Promise<yauzl.Entry> {
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
  return entry;
}

async function feedEntries(zip: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  const found: yauzl.Entry[] = [];
  let seen = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      seen += 1;
      if (!NOT_A_FEED.test(entry.fileName)) found.push(entry);
      if (found.length > 1 || seen > MAX_ENTRIES) break;
    }
  } catch (error) {
    const name = LEADS_OUT.exec(errorMessage(error))?.[1];
    if (name === undefined) throw error;
    throw new FeedFault(
      `The zip has a file path outside the archive (${name}), which is unsafe: nothing was extracted. Ask the provider about it.`,
    );
  }
  return found;
}
