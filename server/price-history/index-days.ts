import type { Pence } from '../../domain/money.ts';

/** One day of a daily index: the geometric mean in pence, and the number of packages. */
export interface IndexDay {
  day: number;
  price: Pence;
  packages: number;
}

const BYTES_PER_DAY = 6;

/** Larger numbers of packages are stored as this one. */
const MAX_PACKAGES = 65_535;

/** Encodes days in ascending order as six bytes per day from the first one; missing days are zero. */
export function encodeIndexDays(days: readonly IndexDay[]): { firstDay: number; bytes: Uint8Array } {
  const firstDay = days[0]?.day ?? 0;
  const length = days.length === 0 ? 0 : (days.at(-1)?.day ?? 0) - firstDay + 1;
  const view = new DataView(new ArrayBuffer(length * BYTES_PER_DAY));
  for (const { day, price, packages } of days) {
    const at = (day - firstDay) * BYTES_PER_DAY;
    view.setUint32(at, price, true);
    view.setUint16(at + 4, Math.min(packages, MAX_PACKAGES), true);
  }
  return { firstDay, bytes: new Uint8Array(view.buffer) };
}

export function decodeIndexDays(firstDay: number, bytes: Uint8Array): IndexDay[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / BYTES_PER_DAY }, (_, index) => ({
    day: firstDay + index,
    price: view.getUint32(index * BYTES_PER_DAY, true),
    packages: view.getUint16(index * BYTES_PER_DAY + 4, true),
  })).filter(({ packages }) => packages > 0);
}
