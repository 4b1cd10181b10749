import { useId, useMemo, useState } from 'react';
import { type Airport, groupAirports } from '../../domain/airport.ts';
import type { LoadState } from '../ui/load-state.ts';
import { useListCombobox } from '../ui/use-list-combobox.ts';
import type { AirportOption, AirportSection } from './airport-options.ts';
import { useListSearch } from './use-list-search.ts';

type ListSearchCode = typeof import('./form-parts.ts');

export interface AirportFieldProps {
  list: LoadState<readonly Airport[]>;
  value: Airport | null;
  onChange: (airport: Airport | null) => void;
  onRetry: () => void;
  disabled: boolean;
}

const NOUN = { one: 'airport', many: 'airports' };
const NONE: AirportSection[] = [];

/** The state of the airport field: its text, the matching sections and its messages. */
export function useAirportCombobox({ list, value, onChange, onRetry, disabled }: AirportFieldProps) {
  const id = useId();
  const [text, setText] = useState('');
  const { ready, error: trouble, preload } = useListSearch(list, onRetry);
  const groups = useMemo(() => (ready === null ? [] : groupAirports(ready.list)), [ready]);
  const sections = useMemo(() => ready?.code.airportSections(groups, text) ?? NONE, [ready, groups, text]);
  const options = useMemo(() => sections.flatMap((section) => section.options), [sections]);

  const combobox = useListCombobox<AirportOption>({
    inputId: id,
    items: options,
    text,
    disabled,
    preload,
    isReady: ready !== null,
    enterPicksFirst: text.trim() !== '',
    onText: setText,
    onPick(option) {
      if (ready !== null) select(ready.code.chooseAirport(option, value));
    },
    resolveText() {
      const named = ready?.code.namedAirport(ready.list, text) ?? null;
      if (named !== null) select(named);
      return named !== null;
    },
    // Text that names no airport is kept only if no airport is selected.
    onUnresolved: () => setText(value === null ? text : ''),
  });

  function select(airport: Airport | null) {
    setText('');
    onChange(airport);
  }

  function clear() {
    onChange(null);
    document.getElementById(id)?.focus();
  }

  const waiting = trouble?.words ?? 'Loading airports...';
  return {
    ...combobox,
    id,
    text,
    sections,
    hasOptions: options.length > 0,
    /** The list and its search code, once both are loaded. */
    ready,
    trouble,
    preload,
    clear,
    words: ready === null ? waiting : foundMessage(ready.code, sections),
    isInvalid: combobox.isUnresolved && value === null && ready !== null && text.trim() !== '',
  };
}

function foundMessage(code: ListSearchCode, sections: readonly AirportSection[]): string {
  const found = code.countAirports(sections);
  return code.foundMessage(found, found, NOUN);
}
