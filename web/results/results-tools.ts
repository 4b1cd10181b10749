// Loaded as one file: see tools-code.ts.
export { openDialog } from '../hotel/HotelDialogs.tsx';
export { FilterChips } from './filters/FilterChips.tsx';
export { FilterSheet } from './filters/FilterSheet.tsx';
export { markHoliday } from './mark-holiday.ts';
export { MonthPrices } from './month-prices/MonthPrices.tsx';
export { PhotoStrip } from './PhotoStrip.tsx';
