/** The columns of the primary key of `price_block`, in order. `month` counts from 1970-01. */
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
