import { useId, useMemo, useState } from 'react';
import { type Airport, groupAirports } from '../../domain/airport.ts';
import { Field, problemId } from '../ui/Field.tsx';
import { ListPopup } from '../ui/ListPopup.tsx';
import type { ListState } from '../ui/load-state.ts';
import { PoliteStatus } from '../ui/PoliteStatus.tsx';
import { useListCombobox } from '../ui/use-list-combobox.ts';
import { AirportChip } from './AirportChip.tsx';
import type { AirportOption, AirportSection } from './airport-options.ts';
import { ListTrouble } from './ListTrouble.tsx';
import { useListSearch } from './use-list-search.ts';

export interface AirportFieldProps {
  list: ListState<readonly Airport[]>;
  value: Airport | null;
  onChange: (airport: Airport | null) => void;
  onRetry: () => void;
  disabled: boolean;
}

const NOUN = { one: 'airport', many: 'airports' };
const NONE: AirportSection[] = [];

/** 'Departure airport': an autocomplete grouped by region that holds one selection (Section 2, ruling 3). */
export function AirportField({ list, value, onChange, onRetry, disabled }: AirportFieldProps) {
  const id = useId();
  const [text, setText] = useState('');
  const { ready, trouble, preload } = useListSearch(list, onRetry);
  const groups = useMemo(() => (ready === null ? [] : groupAirports(ready.list)), [ready]);
  const sections = useMemo(() => ready?.code.airportSections(groups, text) ?? NONE, [ready, groups, text]);
  const options = useMemo(() => sections.flatMap((section) => section.options), [sections]);

  const { isOpen, isUnnamed, inputProps, listProps, optionProps } = useListCombobox<AirportOption>({
    inputId: id,
    items: options,
    text,
    disabled,
    preload,
    isReady: ready !== null,
    enterPicksFirst: text.trim() !== '',
    onText: setText,
    onPick(option) {
      if (ready !== null) take(ready.code.chooseAirport(option, value));
    },
    takeNamed() {
      const named = ready?.code.namedAirport(ready.list, text) ?? null;
      if (named !== null) take(named);
      return named !== null;
    },
    // Text that names no airport stays only where nothing is held, so that none is lost.
    onUnnamed: () => setText(value === null ? text : ''),
  });
  const waiting = trouble?.message ?? 'Loading airports...';
  const words = ready === null ? waiting : foundWords(ready.code, sections);
  const isWrong = isUnnamed && value === null && ready !== null && text.trim() !== '';

  function take(airport: Airport | null) {
    setText('');
    onChange(airport);
  }

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
      problem={isWrong ? 'Choose an airport from the list' : undefined}
      below={
        <>
          <ListPopup
            isOpen={isOpen}
            note={options.length === 0 ? words : ''}
            list={
              <div {...listProps('Airports')} hidden={options.length === 0}>
                {isOpen &&
                  ready !== null &&
                  sections.map((section) => (
                    <ready.code.AirportSectionList
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
          {trouble !== null && <ListTrouble {...trouble} />}
        </>
      }
    >
      {value !== null && (
        <AirportChip id={`${id}-held`} airport={value} disabled={disabled} onRemove={letGo} />
      )}
      <input
        {...inputProps}
        onFocus={preload}
        onKeyDownCapture={(event) => {
          if (event.key === 'Backspace' && text === '' && value !== null) onChange(null);
        }}
        className={value === null ? undefined : 'beside-chip'}
        aria-invalid={isWrong}
        aria-describedby={describedBy(id, value, isWrong)}
        placeholder="Select departure airports"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
      />
    </Field>
  );
}

type ListSearchCode = typeof import('./list-search-chunk.ts');

function foundWords(code: ListSearchCode, sections: readonly AirportSection[]): string {
  const found = code.countAirports(sections);
  return code.foundWords(found, found, NOUN);
}

/** The chip says what is held; where nothing is, the problem says what to do. */
function describedBy(id: string, value: Airport | null, isWrong: boolean): string | undefined {
  if (value !== null) return `${id}-held`;
  return isWrong ? problemId(id) : undefined;
}
