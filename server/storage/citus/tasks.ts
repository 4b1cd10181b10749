export { distributeNewTables } from './distribute.ts';
export { waitForCommits } from './wait-for-commits.ts';
