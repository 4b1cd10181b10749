export interface CsvRecordListener {
  /** A record's cells, and the line of the file on which it begins, from 1. */
  onRecord(cells: readonly string[], line: number): void;
  /** A record with a misplaced quote; its cells are a best guess. */
  onBroken(cells: readonly string[], line: number): void;
}

export interface CsvRecordReader {
  /** Emits the records that end in this chunk. */
  write(chunk: Uint8Array): EndlessRecord | null;
  /** Ends the file. The last record may lack a newline. */
  end(): EndlessRecord | null;
}

/** A record that is too long or whose quote is never closed, so that what follows cannot be parsed. */
export interface EndlessRecord {
  /** The line on which it begins. */
  line: number;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = '"'.charCodeAt(0);
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses a CSV file (RFC 4180) as a stream: cells may be quoted, lines may end in any of the three ways, blank lines are
 * ignored. In a broken record, misplaced quotes count as letters. It works line by line with indexOf, which is faster
 * than a state machine over bytes.
 */
export function csvRecordReader(
  // `longest` is in bytes.
  { delimiter, longest }: { delimiter: string; longest: number },
  { onRecord, onBroken }: CsvRecordListener,
): CsvRecordReader {
  /** The start of a line that continues in the next chunk. */
  let heldBytes: Buffer[] = [];
  let heldLength = 0;
  /** The last chunk ended with a carriage return; a line feed now completes it. */
  let isAfterReturn = false;
  let line = 0;

  // The current record, if it spans lines.
  let cells: string[] = [];
  let begins = 0;
  let isBroken = false;
  let openCell: string[] | null = null;
  let recordLength = 0;
  const delimiterCode = delimiter.charCodeAt(0);

  function endRecord(): void {
    const record = cells;
    cells = [];
    recordLength = 0;
    if (isBroken) {
      isBroken = false;
      onBroken(record, begins);
    } else {
      onRecord(record, begins);
    }
  }

  /** `ending` is the newline as written: within quotes it is part of the cell. */
  function takeLine(text: string, length: number, ending: string): EndlessRecord | null {
    line += 1;
    if (openCell === null) {
      if (text === '') return null;
      begins = line;
    }
    recordLength += length;
    if (recordLength > longest) return { line: begins };
    if (openCell !== null || text.includes('"')) {
      takeCells(text, ending);
    } else {
      cells = text.split(delimiter);
      endRecord();
    }
    return null;
  }

  function takeCells(text: string, ending: string): void {
    let at = 0;
    for (;;) {
      if (openCell !== null || text.charCodeAt(at) === QUOTE) {
        if (openCell === null) at += 1;
        const closes = closingQuote(text, at);
        if (closes < 0) {
          openCell ??= [];
          openCell.push(text.slice(at), ending);
          recordLength += ending.length;
          return;
        }
        const rest = unquoted(text.slice(at, closes));
        cells.push(openCell === null ? rest : unquoted(openCell.join('')) + rest);
        openCell = null;
        at = closes + 1;
      } else {
        const found = text.indexOf(delimiter, at);
        const cell = found < 0 ? text.slice(at) : text.slice(at, found);
        if (cell.includes('"')) isBroken = true;
        cells.push(cell);
        at = found < 0 ? text.length : found;
      }
      if (at >= text.length) break;
      // A delimiter is always followed by a cell, even if blank.
      at += 1;
    }
    endRecord();
  }

  /** The position of the quote that closes the cell; -1 if it is not on this line. */
  function closingQuote(text: string, from: number): number {
    for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at)) {
      const next = text.charCodeAt(at + 1);
      if (next === QUOTE) {
        at += 2;
      } else if (at + 1 === text.length || next === delimiterCode) {
        return at;
      } else {
        isBroken = true;
        at += 1;
      }
    }
    return -1;
  }

  /** Handles the line that ends at `to` and begins at `from` or in the held bytes. */
  function takeBytes(bytes: Buffer, from: number, to: number, ending: string): EndlessRecord | null {
    const length = heldLength + to - from;
    let text =
      heldLength === 0
        ? bytes.toString('utf8', from, to)
        : Buffer.concat([...heldBytes, bytes.subarray(from, to)]).toString('utf8');
    heldBytes = [];
    heldLength = 0;
    if (line === 0 && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    return takeLine(text, length, ending);
  }

  return {
    write(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      let from = 0;
      if (isAfterReturn && chunk.length > 0) {
        // Whether a line feed follows was unknown until now.
        isAfterReturn = false;
        const isPair = bytes[0] === LINE_FEED;
        const trouble = takeBytes(bytes, 0, 0, isPair ? '\r\n' : '\r');
        if (trouble !== null) return trouble;
        if (isPair) from = 1;
      }
      let feed = bytes.indexOf(LINE_FEED, from);
      let back = bytes.indexOf(CARRIAGE_RETURN, from);
      while (feed >= 0 || back >= 0) {
        const isReturn = back >= 0 && (feed < 0 || back < feed);
        const ends = isReturn ? back : feed;
        const isPair = isReturn && feed === ends + 1;
        if (isReturn && ends + 1 === bytes.length) {
          isAfterReturn = true;
          break;
        }
        const trouble = takeBytes(bytes, from, ends, isPair ? '\r\n' : isReturn ? '\r' : '\n');
        if (trouble !== null) return trouble;
        from = ends + (isPair ? 2 : 1);
        if (feed >= 0 && feed < from) feed = bytes.indexOf(LINE_FEED, from);
        if (back >= 0 && back < from) back = bytes.indexOf(CARRIAGE_RETURN, from);
      }
      const rest = bytes.subarray(from, isAfterReturn ? bytes.length - 1 : bytes.length);
      if (rest.length > 0) heldBytes.push(rest);
      heldLength += rest.length;
      return recordLength + heldLength > longest ? { line: openCell === null ? line + 1 : begins } : null;
    },
    end() {
      if (isAfterReturn || heldLength > 0) {
        const trouble = takeBytes(Buffer.alloc(0), 0, 0, isAfterReturn ? '\r' : '');
        if (trouble !== null) return trouble;
      }
      return openCell === null ? null : { line: begins };
    },
  };
}

function unquoted(text: string): string {
  return text.includes('"') ? text.replaceAll('""', '"') : text;
}
