/** Characters of a URL that are read, and that are logged. */
const MAX_READ = 1_000;
const MAX_LOGGED = 200;

/** Nine digits or more with usual separators: matches every phone number, and no date. */
const NUMBER = /\+?\(?\p{Nd}(?:[\s().,+*·\-_/\u2010-\u2015\p{Cf}]*\p{Nd}){8,}/gu;

/** A URL for the log: without its query and anything like a phone number. */
export function loggedPath(url: string): string {
  const path = url.slice(0, MAX_READ).split('?', 1)[0] ?? '';
  // Some proxies encode twice.
  const read = decoded(decoded(path));
  const redacted = read.replace(NUMBER, '[number]');
  return (redacted === read ? path : redacted).slice(0, MAX_LOGGED);
}

/** Decodes percent-encoding and converts digits of other scripts. */
function decoded(path: string): string {
  if (!path.includes('%')) return path.normalize('NFKC');
  try {
    return decodeURIComponent(path).normalize('NFKC');
  } catch {
    // Decodes at least the ASCII characters.
    return path.replace(/%([2-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}
