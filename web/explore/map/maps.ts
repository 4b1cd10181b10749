// Loaded as one file, because both maps draw the same countries: see map-code.ts.
export { PinMap } from './PinMap.tsx';
export { PriceMap } from './PriceMap.tsx';
