import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * A visitor can fill in a prerendered control before it hydrates. If its value differs from `shown`, the value is passed to
 * `adopt` on hydration; React would otherwise discard it.
 */
export function useInputBeforeHydration(id: string, shown: string, adopt: (value: string) => void): void {
  const look = useEffectEvent(() => {
    const control = document.getElementById(id);
    const holds = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
    if (holds && control.value !== shown) adopt(control.value);
  });
  useLayoutEffect(() => look(), []);
}
