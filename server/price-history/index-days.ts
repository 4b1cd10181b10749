import type { Pence } from '../../domain/money.ts';

/** A day of a daily index: a geometric mean in pence, and how many packages it is of. */
export interface IndexDay {
  day: number;
  price: Pence;
  packages: number;
}

const BYTES_A_DAY = 6;

/** More packages than this count as this many: the number is evidence, not a sum. */
const MOST_PACKAGES = 65_535;

/** Days in the order of time as six bytes a day from the first on; days between them that are missing are empty. */
export function encodeIndexDays(days: readonly IndexDay[]): { firstDay: number; bytes: Uint8Array } {
  const firstDay = days[0]?.day ?? 0;
  const length = days.length === 0 ? 0 : (days.at(-1)?.day ?? 0) - firstDay + 1;
  const view = new DataView(new ArrayBuffer(length * BYTES_A_DAY));
  for (const { day, price, packages } of days) {
    const at = (day - firstDay) * BYTES_A_DAY;
    view.setUint32(at, price, true);
    view.setUint16(at + 4, Math.min(packages, MOST_PACKAGES), true);
  }
  return { firstDay, bytes: new Uint8Array(view.buffer) };
}

export function decodeIndexDays(firstDay: number, bytes: Uint8Array): IndexDay[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / BYTES_A_DAY }, (_, index) => ({
    day: firstDay + index,
    price: view.getUint32(index * BYTES_A_DAY, true),
    packages: view.getUint16(index * BYTES_A_DAY + 4, true),
  })).filter(({ packages }) => packages > 0);
}
