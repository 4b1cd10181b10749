/** Characters of an address that are read, and that are logged. */
const MAX_READ = 1_000;
const MAX_LOGGED = 200;

/** Nine digits or more, with what people write between them: every phone number, and no date. */
const NUMBER = /\+?\(?\p{Nd}(?:[\s().,+*·\-_/\u2010-\u2015\p{Cf}]*\p{Nd}){8,}/gu;

/** An address as it may be logged: without its query, and without anything that may be a phone number. */
export function loggedPath(url: string): string {
  const path = url.slice(0, MAX_READ).split('?', 1)[0] ?? '';
  // Some proxies encode twice.
  const read = decoded(decoded(path));
  const redacted = read.replace(NUMBER, '[number]');
  return (redacted === read ? path : redacted).slice(0, MAX_LOGGED);
}

/** Percent-encoded characters decoded, and those of other scripts in their plain forms. */
function decoded(path: string): string {
  if (!path.includes('%')) return path.normalize('NFKC');
  try {
    return decodeURIComponent(path).normalize('NFKC');
  } catch {
    // Not all of it can be decoded. ASCII can.
    return path.replace(/%([2-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}
