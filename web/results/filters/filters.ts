// Loaded as one file: see filters-code.ts.

export { FilterChips } from './FilterChips.tsx';
export { FilterRail } from './FilterRail.tsx';
export { FilterSheet } from './FilterSheet.tsx';
