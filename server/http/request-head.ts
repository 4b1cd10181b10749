/** Bytes of a head that are looked at: more than the 16 kB that Node's parser takes, so that it refuses a longer one. */
const LONGEST_HEAD = 17 * 1024;

const END = '\r\n\r\n';

/** Bytes of the empty line that follows a head. */
export const END_OF_HEAD = 2;

/**
 * The lines of the first request of a connection, as Latin-1, before a parser has read them; its first 17 kB if they are
 * longer. Null: more of them has to come. Whether they are a request at all is for the parser to say.
 */
export function requestHead(sent: Buffer): string | null {
  const end = sent.indexOf(END);
  if (end < 0 && sent.length < LONGEST_HEAD) return null;
  return sent.toString(
    'latin1',
    0,
    end < 0 ? LONGEST_HEAD : Math.min(end + END.length - END_OF_HEAD, LONGEST_HEAD),
  );
}

/** Lines of a request that is not for a tunnel (RFC 9112, sections 3 and 5). */
const REQUEST = /^(?!CONNECT )[A-Z]+ \S+ HTTP\/1\.[01]\r\n(?:[\w!#$%&'*+.^`|~-]+:[^\r\n]*\r\n)+$/;
const HOST = /\r\nhost:/gi;
const UNUSUAL = /\r\n(?:expect|transfer-encoding|upgrade):/i;

/** Whether a head is one that browsers and proxies send. Others may be refused for their form. */
export function isUsualHead(head: string): boolean {
  return REQUEST.test(head) && head.match(HOST)?.length === 1 && !UNUSUAL.test(head);
}
