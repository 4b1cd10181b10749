import { BLOCK_KEY, type BlockKey } from './block-key.ts';

/** The error for bytes that `encodeBlock` never writes. Probably the disk is faulty. */
export function damagedBlock(column: 'cells' | 'hotels', block: BlockKey | null): Error {
  const key = BLOCK_KEY.map((name, nth) => `${name} ${block?.[nth]}`).join(', ');
  return new Error(
    `The ${column} of the price_block with ${key} are damaged. Run npm run prices:rebuild, which rebuilds them from the packages.`,
  );
}
