import { useId, useMemo, useState } from 'react';
import type { DestinationOption } from '../../domain/destination.ts';
import { useListCombobox } from '../ui/use-list-combobox.ts';
import type { DestinationFieldProps } from './destination-field-props.ts';
import { useListSearch } from './use-list-search.ts';

const NOUN = { one: 'destination', many: 'destinations' };
const NONE: DestinationOption[] = [];

/** The state of the destination field: its text, the matching options and its messages. */
export function useDestinationCombobox({ list, value, onChange, onRetry, disabled }: DestinationFieldProps) {
  const id = useId();
  const selectedLabel = value?.label ?? '';
  const [text, setText] = useState(selectedLabel);
  const [shownLabel, setShownLabel] = useState(selectedLabel);
  if (shownLabel !== selectedLabel) {
    // A pick, a URL or the Back button changed the choice.
    setShownLabel(selectedLabel);
    setText(selectedLabel);
  }
  // While the text is the current choice's label, the whole list is offered, for another choice.
  const query = text === selectedLabel ? '' : text;
  const { ready, error: trouble, preload } = useListSearch(list, onRetry);
  const matches = useMemo(() => ready?.code.matchDestinations(ready.list, query) ?? null, [ready, query]);
  const options = matches?.options ?? NONE;

  const combobox = useListCombobox<DestinationOption>({
    inputId: id,
    items: options,
    text,
    disabled,
    preload,
    isReady: ready !== null,
    enterPicksFirst: query.trim() !== '',
    onText: change,
    onPick: select,
    resolveText() {
      const named = ready?.code.namedDestination(ready.list, query) ?? null;
      if (named !== null) select(named);
      return named !== null;
    },
    // Text that names no place is replaced by the current choice, if there is one.
    onUnresolved: () => setText(value === null ? text : selectedLabel),
  });

  function select({ label, tuple }: DestinationOption) {
    setText(label);
    onChange({ label, tuple });
  }

  function change(typed: string) {
    setText(typed);
    if (typed === '' && value !== null) onChange(null);
  }

  function clear() {
    change('');
    document.getElementById(id)?.focus();
  }

  const total = matches?.total ?? 0;
  const waiting = trouble?.words ?? 'Loading destinations...';
  const words = ready === null ? waiting : ready.code.foundMessage(total, options.length, NOUN);
  return {
    ...combobox,
    id,
    text,
    query,
    options,
    /** The list and its search code, once both are loaded. */
    ready,
    trouble,
    preload,
    clear,
    words,
    note: noteUnder(words, total, options.length),
    isInvalid: combobox.isUnresolved && value === null && ready !== null && text.trim() !== '',
  };
}

/** A line under the list, empty if the list says it all. */
function noteUnder(words: string, total: number, listed: number): string {
  if (total === 0) return words;
  return listed < total ? `${words} Keep typing to narrow them down.` : '';
}
