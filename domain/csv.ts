import { csvParseRows } from 'd3-dsv';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The rows of a comma-separated text as lists of cells. Handles a byte order mark, either line ending, and quoted cells
 * with commas, doubled quotes or newlines. A blank line is a row with one blank cell.
 */
export function parseCsv(text: string): string[][] {
  return csvParseRows(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}
