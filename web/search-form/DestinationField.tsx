import { useId, useMemo, useState } from 'react';
import type { DestinationOption } from '../../domain/destination.ts';
import type { DestinationIndex } from '../../domain/destination-index.ts';
import type { SearchFormValue } from '../search/search-form-value.ts';
import { ClearButton } from '../ui/ClearButton.tsx';
import { Field, problemId } from '../ui/Field.tsx';
import { ListPopup } from '../ui/ListPopup.tsx';
import type { ListState } from '../ui/load-state.ts';
import { PoliteStatus } from '../ui/PoliteStatus.tsx';
import { useListCombobox } from '../ui/use-list-combobox.ts';
import { ListTrouble } from './ListTrouble.tsx';
import { useListSearch } from './use-list-search.ts';

type Choice = NonNullable<SearchFormValue['destination']>;

export interface DestinationFieldProps {
  list: ListState<DestinationIndex>;
  value: Choice | null;
  onChange: (choice: Choice | null) => void;
  onRetry: () => void;
  disabled: boolean;
}

const NOUN = { one: 'destination', many: 'destinations' };
const NONE: DestinationOption[] = [];

/** 'Destination': an autocomplete over countries, regions and resorts (Section 2, ruling 2). */
export function DestinationField({ list, value, onChange, onRetry, disabled }: DestinationFieldProps) {
  const id = useId();
  const heldLabel = value?.label ?? '';
  const [text, setText] = useState(heldLabel);
  const [shownLabel, setShownLabel] = useState(heldLabel);
  if (shownLabel !== heldLabel) {
    // The choice changed: by a pick, or by an address or the Back button.
    setShownLabel(heldLabel);
    setText(heldLabel);
  }
  // The label of what is held is no search: it opens the whole list, to choose again.
  const query = text === heldLabel ? '' : text;
  const { ready, trouble, preload } = useListSearch(list, onRetry);
  const matches = useMemo(() => ready?.code.matchDestinations(ready.list, query) ?? null, [ready, query]);
  const options = matches?.options ?? NONE;

  const { isOpen, isUnnamed, inputProps, listProps, optionProps } = useListCombobox<DestinationOption>({
    inputId: id,
    items: options,
    text,
    disabled,
    preload,
    isReady: ready !== null,
    enterPicksFirst: query.trim() !== '',
    onText: change,
    onPick: take,
    takeNamed() {
      const named = ready?.code.namedDestination(ready.list, query) ?? null;
      if (named !== null) take(named);
      return named !== null;
    },
    // Text that names no place gives way to what is held; where nothing is, it stays, so that none is lost.
    onUnnamed: () => setText(value === null ? text : heldLabel),
  });

  function take({ label, tuple }: DestinationOption) {
    setText(label);
    onChange({ label, tuple });
  }

  function change(typed: string) {
    setText(typed);
    if (typed === '' && value !== null) onChange(null);
  }

  const total = matches?.total ?? 0;
  const waiting = trouble?.message ?? 'Loading destinations...';
  const words = ready === null ? waiting : ready.code.foundWords(total, options.length, NOUN);
  const isWrong = isUnnamed && value === null && ready !== null && text.trim() !== '';

  return (
    <Field
      id={id}
      label="Destination"
      icon="pin"
      disabled={disabled}
      problem={isWrong ? 'Choose a place from the list' : undefined}
      below={
        <>
          <ListPopup
            isOpen={isOpen}
            note={noteUnder(words, total, options.length)}
            list={
              <ul {...listProps('Places')} hidden={options.length === 0}>
                {isOpen &&
                  ready !== null &&
                  options.map((option) => (
                    <li key={option.tuple.join('\n')} {...optionProps(option)}>
                      <ready.code.DestinationLabel option={option} text={query} />
                    </li>
                  ))}
              </ul>
            }
          />
          <PoliteStatus words={isOpen ? words : ''} />
          {trouble !== null && <ListTrouble {...trouble} />}
        </>
      }
    >
      <input
        {...inputProps}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? problemId(id) : undefined}
        onFocus={(event) => {
          preload();
          event.currentTarget.select();
        }}
        placeholder="Where do you want to go?"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
      />
      {text !== '' && !disabled && (
        <ClearButton
          words="Clear destination"
          onClear={() => {
            change('');
            document.getElementById(id)?.focus();
          }}
        />
      )}
    </Field>
  );
}

/** A line under the list only where it says more than the list does. */
function noteUnder(words: string, total: number, listed: number): string {
  if (total === 0) return words;
  return listed < total ? `${words} Type to narrow them down.` : '';
}
