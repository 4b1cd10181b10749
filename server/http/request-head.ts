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

/** Whether only the beginning of a head is known, because it is longer than the parser takes. */
export const isTooLong = (head: string) => head.length === LONGEST_HEAD;

/** A head that the parser refuses as too long. It stands for those that are too long to be kept. */
export const TOO_LONG_HEAD = Buffer.from('GET / HTTP/1.1\r\na: '.padEnd(LONGEST_HEAD, 'a'));

/** Bytes of a head that the parser takes. It counts fewer: no blanks, colons or ends of lines. */
const USUAL_LENGTH = 16 * 1024;

/** A request for a path of this server, and its lines (RFC 9112, sections 3 and 5). */
const REQUEST =
  /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/[!$-~]* HTTP\/1\.[01]\r\n(?:[\w!#$%&'*+.^`|~-]+:[\t -~\x80-\xff]*\r\n){1,100}$/;
const HOST = /\r\nhost:/gi;
const LENGTH = /\r\ncontent-length:/gi;
const UNUSUAL = /\r\n(?:(?:expect|transfer-encoding|upgrade):|content-length:(?![\t ]*\d{1,15}[\t ]*\r\n))/i;

/** Whether a head is one that browsers and proxies send, and that is not refused for its form. */
export function isUsualHead(head: string): boolean {
  return (
    head.length <= USUAL_LENGTH &&
    REQUEST.test(head) &&
    count(head, HOST) === 1 &&
    count(head, LENGTH) <= 1 &&
    !UNUSUAL.test(head)
  );
}

function count(head: string, header: RegExp): number {
  return head.match(header)?.length ?? 0;
}
