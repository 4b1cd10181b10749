// Bundled as one file: see results-code.ts.

export { PublishedPageData } from '../price-analysis/PublishedPageData.tsx';
export { runSearch } from '../search/run-search.ts';
export { createSearchClient } from '../search/search-client.ts';
export { CheapestDates } from './CheapestDates.tsx';
export { EmptyHelp } from './EmptyHelp.tsx';
export { HeadlineNotes } from './HeadlineNotes.tsx';
export { HolidayList } from './HolidayList.tsx';
export { ResultsControls } from './ResultsControls.tsx';
export { ResultsTools } from './ResultsTools.tsx';
