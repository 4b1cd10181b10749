import { useSyncExternalStore } from 'react';

const NEVER_CHANGES = () => () => {};

/**
 * True while the prerendered page is being taken over, whose words know neither the clock nor the address:
 * what depends on those is painted just after.
 */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    NEVER_CHANGES,
    () => false,
    () => true,
  );
}
