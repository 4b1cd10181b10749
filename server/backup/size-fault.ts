import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/** Where a store's header contains its page size (1 means 65,536), and its number of pages. */
const PAGE_SIZE_AT = 16;
const PAGES_AT = 28;

/**
 * Checks a closed store's size against the number of pages in its header. Returns what is wrong, as the end
 * of a sentence, or null. SQLite does not notice missing pages that it need not read.
 */
export function sizeFault(file: string): string | null {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(descriptor, header, 0, HEADER_BYTES, 0);
    if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
    if (read < HEADER_BYTES) return `it is cut short: it has ${size} bytes`;
    const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
    const whole = (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(PAGES_AT);
    if (size < whole) return `it is cut short: it has ${size} of ${whole} bytes`;
    return size > whole ? `it has ${size} bytes instead of ${whole}` : null;
  } finally {
    closeSync(descriptor);
  }
}
