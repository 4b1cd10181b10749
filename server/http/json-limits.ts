const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface JsonLimits {
  /** Levels of arrays and objects. */
  depth: number;
  /** Commas outside of texts: the values of all arrays and objects, less one for each of them. */
  commas: number;
}

/**
 * Whether JSON text exceeds limits. Deep nesting overflows the stack of code that walks the value, such as a structured
 * clone to a thread. Thousands of different keys take milliseconds to parse, a hundred times as long as a text of the
 * same size. Text that is not JSON is left to the parser.
 */
export function exceedsJsonLimits(json: Uint8Array, most: JsonLimits): keyof JsonLimits | null {
  let depth = 0;
  let commas = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) {
      isInText = true;
    } else if (byte === COMMA) {
      commas += 1;
      if (commas > most.commas) return 'commas';
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > most.depth) return 'depth';
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return null;
}
