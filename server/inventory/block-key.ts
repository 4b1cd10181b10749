/** The columns of the primary key of `price_block`, in order. `month` counts from 1970-01. */
import { installedCommand } from '../lib/installed-command.ts';
export const BLOCK_KEY = ['party', 'nights', 'month', 'airport', 'country', 'region', 'resort'] as const;

export type BlockKey = readonly [
  party: number,
  nights: number,
  month: number,
  airport: number,
  country: number,
  region: number,
  resort: number,
];

/** The error for bytes that `encodeBlock` never writes. Probably the disk is faulty. */
export function damagedBlock(column: 'cells' | 'hotels', block: BlockKey | null): Error {
  const key = BLOCK_KEY.map((name, nth) => `${name} ${block?.[nth]}`).join(', ');
  return new Error(
    `The ${column} of the price_block with ${key} are damaged. Run ${installedCommand('prices:rebuild')}, which rebuilds them from the packages.`,
  );
}
