import { useId, useMemo, useState } from 'react';
import type { DestinationOption } from '../../domain/destination.ts';
import { type DestinationIndex, matchDestinations } from '../../domain/destination-match.ts';
import type { ListState } from '../search/list-state.ts';
import type { SearchFormValue } from '../search/search-form-value.ts';
import { ClearButton } from '../ui/ClearButton.tsx';
import { Field } from '../ui/Field.tsx';
import { ListPopup } from '../ui/ListPopup.tsx';
import { PoliteStatus } from '../ui/PoliteStatus.tsx';
import { useListCombobox } from '../ui/use-list-combobox.ts';
import { DestinationLabel } from './DestinationLabel.tsx';
import { foundWords } from './found-words.ts';
import { ListTrouble } from './ListTrouble.tsx';

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
  const index = list.status === 'stored' ? list.value : null;
  const matches = useMemo(() => (index === null ? null : matchDestinations(index, query)), [index, query]);
  const options = matches?.options ?? NONE;

  const { isOpen, inputProps, listProps, optionProps } = useListCombobox<DestinationOption>({
    inputId: id,
    items: options,
    text,
    disabled,
    enterPicksFirst: query.trim() !== '',
    onText: change,
    onPick: ({ label, tuple }) => {
      setText(label);
      onChange({ label, tuple });
    },
    // Text that was not picked gives way to what is held; where nothing is, it stays, so that none is lost.
    onLeave: () => setText(value === null ? text : heldLabel),
  });

  function change(typed: string) {
    setText(typed);
    if (typed === '' && value !== null) onChange(null);
  }

  const words = matches === null ? waitingWords(list) : foundWords(matches.total, options.length, NOUN);

  return (
    <Field
      id={id}
      label="Destination"
      icon="pin"
      disabled={disabled}
      below={
        <>
          <ListPopup
            isOpen={isOpen}
            note={noteUnder(words, matches?.total ?? 0, options.length)}
            list={
              <ul {...listProps('Places')} hidden={options.length === 0}>
                {isOpen &&
                  options.map((option) => (
                    <li key={option.tuple.join('\n')} {...optionProps(option)}>
                      <DestinationLabel option={option} text={query} />
                    </li>
                  ))}
              </ul>
            }
          />
          <PoliteStatus words={isOpen ? words : ''} />
          {list.status === 'failed' && <ListTrouble message={list.message} onRetry={onRetry} />}
        </>
      }
    >
      <input
        {...inputProps}
        onFocus={(event) => event.currentTarget.select()}
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

function waitingWords(list: ListState<DestinationIndex>): string {
  return list.status === 'failed' ? list.message : 'Loading destinations...';
}

/** A line under the list only where it says more than the list does. */
function noteUnder(words: string, total: number, listed: number): string {
  if (total === 0) return words;
  return listed < total ? `${words} Type to narrow them down.` : '';
}
