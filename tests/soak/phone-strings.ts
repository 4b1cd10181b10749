import { isUkMobile, parseUkPhone } from '../../domain/uk-phone.ts';
import { type AlertKeys, alertKeys } from '../../server/alerts/keys/alert-keys.ts';
import { DRAMA_NUMBERS, dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { seeded } from '../fixtures/alerts/seeded.ts';

const SEPARATORS = ['', ' ', '-', '(', ')', '+', '  ', ') ', ' - '];
const NOISE = '0123456789+-() x.٠';

export interface PhoneReport {
  strings: number;
  accepted: number;
  mobiles: number;
  /** Descriptions of errors. Empty if everything is correct. */
  wrong: string[];
}

/**
 * Parses many phone strings, spellings of known numbers and noise. Checks that parsing a canonical form does
 * not change it, that all spellings of a number have one key, and that a mobile number is 447 and nine
 * digits.
 */
export function readPhoneStrings(strings: number, seed: number): PhoneReport {
  const random = seeded(seed);
  const keys = alertKeys(new Uint8Array(32));
  const report: PhoneReport = { strings, accepted: 0, mobiles: 0, wrong: [] };
  const known = new Map<string, string>();
  for (let count = 0; count < strings; count += 1) {
    const number = dramaNumber(Math.floor(random() * DRAMA_NUMBERS));
    const isSpelling = random() < 0.7;
    readOne(isSpelling ? spelling(number, random) : noise(random), isSpelling ? number : null, {
      keys,
      known,
      report,
    });
  }
  return report;
}

function readOne(
  text: string,
  expected: string | null,
  { keys, known, report }: { keys: AlertKeys; known: Map<string, string>; report: PhoneReport },
): void {
  const phone = parseUkPhone(text);
  if (phone.kind === 'invalid') {
    if (expected !== null) report.wrong.push(`${text} is rejected`);
    return;
  }
  report.accepted += 1;
  const { canonical } = phone;
  const again = parseUkPhone(canonical);
  if (again.kind === 'invalid' || again.canonical !== canonical) report.wrong.push(`${text} is not stable`);
  if (expected !== null) {
    const key = keys.hash('number', canonical);
    if (known.get(expected) !== undefined && known.get(expected) !== key)
      report.wrong.push(`${text} has another key`);
    known.set(expected, key);
  }
  if (!isUkMobile(canonical)) return;
  report.mobiles += 1;
  if (!/^447[0-9]{9}$/.test(canonical)) report.wrong.push(`${text} is accepted as a mobile number`);
}

/** A random spelling of a number. */
function spelling(number: string, random: () => number): string {
  const bare = number.slice(2);
  const written = [bare, `0${bare}`, number, `+${number}`][Math.floor(random() * 4)] ?? bare;
  let text = '';
  for (const digit of written) {
    text += digit;
    if (random() < 0.2) text += SEPARATORS[Math.floor(random() * SEPARATORS.length)] ?? '';
  }
  return text;
}

function noise(random: () => number): string {
  const length = Math.floor(random() * 16);
  return Array.from({ length }, () => NOISE[Math.floor(random() * NOISE.length)] ?? '').join('');
}
