import { BLOCK_KEY, type BlockKey } from './block-key.ts';

/** A price block has bytes that `encodeBlock` never writes, probably because of a faulty disk. */
export function damagedBlock(column: 'cells' | 'hotels', block: BlockKey | null): Error {
  const key = BLOCK_KEY.map((name, nth) => `${name} ${block?.[nth]}`).join(', ');
  return new Error(
    `The ${column} of the price_block with ${key} are damaged. Run npm run prices:rebuild, which rebuilds them from the packages.`,
  );
}
