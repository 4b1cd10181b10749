import { csvParseRows } from 'd3-dsv';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses comma-separated text into rows of cells. Accepts a byte order mark, both kinds of line ending, and
 * quoted cells. A blank line is a row with one blank cell.
 */
export function parseCsv(text: string): string[][] {
  return csvParseRows(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}
