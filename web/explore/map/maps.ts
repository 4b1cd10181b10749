// Loaded as one file, because both maps draw the same countries: see ExploreMap.tsx and ResultsMap.tsx.
export { PinMap } from './PinMap.tsx';
export { PriceMap } from './PriceMap.tsx';
