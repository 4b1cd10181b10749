// What a synchronous connection has done on a coordinator.
export { distributeNewTables } from './distribute.ts';
export { waitForCommits } from './wait-for-commits.ts';
