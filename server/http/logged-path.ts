/** How many characters of a URL are examined, and how many are logged. */
const MAX_READ = 1_000;
const MAX_LOGGED = 200;

/** Nine or more digits with the usual separators. Matches every phone number, but no date. */
const NUMBER = /\+?\(?\p{Nd}(?:[\s().,+*·\-_/\u2010-\u2015\p{Cf}]*\p{Nd}){8,}/gu;

/** An email address, with everything else in its part of the path. */
const EMAIL = /[^/]+@[^/]+/g;

/** How often a path is decoded, because some proxies encode a path that is already encoded. */
const MAX_DECODINGS = 4;

/** A URL for the log, without its query and without anything that looks like a phone number or an email address. */
export function loggedPath(url: string): string {
  const path = url.slice(0, MAX_READ).split('?', 1)[0] ?? '';
  let read = path;
  for (let nth = 0; nth < MAX_DECODINGS; nth += 1) read = decoded(read);
  const redacted = read.replace(EMAIL, '[email]').replace(NUMBER, '[number]');
  return (redacted === read ? path : redacted).slice(0, MAX_LOGGED);
}

/** Decodes percent-encoding, and converts digits of other scripts. */
function decoded(path: string): string {
  if (!path.includes('%')) return path.normalize('NFKC');
  try {
    return decodeURIComponent(path).normalize('NFKC');
  } catch {
    // If the whole path cannot be decoded, decodes its ASCII characters.
    return path.replace(/%([2-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}
