import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * A prerendered control can be typed into, or chosen from, before its script is here. What it then holds in
 * place of `shown` is handed to `adopt` as the page is taken over: later it would be lost without a word.
 */
export function useInputBeforeHydration(id: string, shown: string, adopt: (value: string) => void): void {
  const look = useEffectEvent(() => {
    const control = document.getElementById(id);
    const holds = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
    if (holds && control.value !== shown) adopt(control.value);
  });
  useLayoutEffect(() => look(), []);
}
