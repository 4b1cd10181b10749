import { BLOCK_KEY, type BlockKey } from './block-key.ts';

/** The error of a price block whose bytes are impossible. Only those of a faulty disk are: `encodeBlock` writes no others. */
export function damagedBlock(column: 'cells' | 'hotels', block: BlockKey | null): Error {
  const key = BLOCK_KEY.map((name, nth) => `${name} ${block?.[nth]}`).join(', ');
  return new Error(
    `The ${column} of the price_block with ${key} are damaged. Run npm run prices:rebuild, which writes them anew from the packages.`,
  );
}
