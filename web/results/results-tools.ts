// Loaded as one file: see tools-code.ts.

export { DepartureCalendar } from '../search/DepartureCalendar.tsx';
export { EmptyOffers } from './EmptyOffers.tsx';
export { openDialog } from './HotelDialogs.tsx';
export { markHoliday } from './mark-holiday.ts';
export { PhotoStrip } from './PhotoStrip.tsx';
export { ResultsMap } from './ResultsMap.tsx';
