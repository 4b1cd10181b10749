import { useId, useMemo, useState } from 'react';
import { type Airport, groupAirports } from '../../domain/airport.ts';
import type { ListState } from '../search/list-state.ts';
import { Field } from '../ui/Field.tsx';
import { ListPopup } from '../ui/ListPopup.tsx';
import { PoliteStatus } from '../ui/PoliteStatus.tsx';
import { useListCombobox } from '../ui/use-list-combobox.ts';
import { AirportChip } from './AirportChip.tsx';
import { AirportSectionList } from './AirportSectionList.tsx';
import { type AirportOption, airportSections, chooseAirport, countAirports } from './airport-options.ts';
import { foundWords } from './found-words.ts';
import { ListTrouble } from './ListTrouble.tsx';

export interface AirportFieldProps {
  list: ListState<readonly Airport[]>;
  value: Airport | null;
  onChange: (airport: Airport | null) => void;
  onRetry: () => void;
  disabled: boolean;
}

const NOUN = { one: 'airport', many: 'airports' };

/** 'Departure airport': an autocomplete grouped by region that holds one selection (Section 2, ruling 3). */
export function AirportField({ list, value, onChange, onRetry, disabled }: AirportFieldProps) {
  const id = useId();
  const [text, setText] = useState('');
  const airports = list.status === 'stored' ? list.value : null;
  const groups = useMemo(() => (airports === null ? [] : groupAirports(airports)), [airports]);
  const sections = useMemo(() => airportSections(groups, text), [groups, text]);
  const options = useMemo(() => sections.flatMap((section) => section.options), [sections]);

  const { isOpen, inputProps, listProps, optionProps } = useListCombobox<AirportOption>({
    inputId: id,
    items: options,
    text,
    disabled,
    enterPicksFirst: text.trim() !== '',
    onText: setText,
    onPick: (option) => {
      setText('');
      onChange(chooseAirport(option, value));
    },
    // Text that was not picked stays only where nothing is held, so that none is lost.
    onLeave: () => setText(value === null ? text : ''),
  });
  const found = countAirports(sections);
  const words = airports === null ? waitingWords(list) : foundWords(found, found, NOUN);

  function letGo() {
    onChange(null);
    document.getElementById(id)?.focus();
  }

  return (
    <Field
      id={id}
      label="Departure airport"
      icon="plane"
      disabled={disabled}
      below={
        <>
          <ListPopup
            isOpen={isOpen}
            note={options.length === 0 ? words : ''}
            list={
              <div {...listProps('Airports')} hidden={options.length === 0}>
                {isOpen &&
                  sections.map((section) => (
                    <AirportSectionList
                      key={section.heading?.id ?? ''}
                      section={section}
                      held={value}
                      optionProps={optionProps}
                    />
                  ))}
              </div>
            }
          />
          <PoliteStatus words={isOpen ? words : ''} />
          {list.status === 'failed' && <ListTrouble message={list.message} onRetry={onRetry} />}
        </>
      }
    >
      {value !== null && (
        <AirportChip id={`${id}-held`} airport={value} disabled={disabled} onRemove={letGo} />
      )}
      <input
        {...inputProps}
        onKeyDownCapture={(event) => {
          if (event.key === 'Backspace' && text === '' && value !== null) onChange(null);
        }}
        className={value === null ? undefined : 'beside-chip'}
        aria-describedby={value === null ? undefined : `${id}-held`}
        placeholder="Select departure airports"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
      />
    </Field>
  );
}

function waitingWords(list: ListState<readonly Airport[]>): string {
  return list.status === 'failed' ? list.message : 'Loading airports...';
}
