import type { Airport } from '../../domain/airport.ts';
import { Field, problemId } from '../ui/Field.tsx';
import { ListPopup } from '../ui/ListPopup.tsx';
import { PoliteStatus } from '../ui/PoliteStatus.tsx';
import { RetryMessage } from '../ui/RetryMessage.tsx';
import { AirportChip } from './AirportChip.tsx';
import { type AirportFieldProps, useAirportCombobox } from './use-airport-combobox.ts';

/** 'Departure airport': an autocomplete grouped by region that holds one selection (Section 2). */
export function AirportField(props: AirportFieldProps) {
  const field = useAirportCombobox(props);
  const { value, onChange, disabled } = props;
  const { id, text, sections, hasOptions, ready, trouble, isOpen, isInvalid, words } = field;

  return (
    <Field
      id={id}
      label="Departure airport"
      icon="plane"
      disabled={disabled}
      problem={isInvalid ? 'Choose an airport from the list' : undefined}
      below={
        <>
          <ListPopup
            isOpen={isOpen}
            note={hasOptions ? '' : words}
            list={
              <div {...field.listProps('Airports')} hidden={!hasOptions}>
                {isOpen &&
                  ready !== null &&
                  sections.map((section) => (
                    <ready.code.AirportSectionList
                      key={section.heading?.id ?? ''}
                      section={section}
                      selected={value}
                      optionProps={field.optionProps}
                    />
                  ))}
              </div>
            }
          />
          <PoliteStatus words={isOpen ? words : ''} />
          {trouble !== null && <RetryMessage className="field-problem" {...trouble} />}
        </>
      }
    >
      {value !== null && (
        <AirportChip id={`${id}-selected`} airport={value} disabled={disabled} onRemove={field.clear} />
      )}
      <input
        {...field.inputProps}
        onFocus={field.preload}
        onKeyDownCapture={(event) => {
          // Holding Backspace clears the text, but not the selection.
          if (event.key === 'Backspace' && !event.repeat && text === '' && value !== null) onChange(null);
        }}
        className={value === null ? undefined : 'beside-chip'}
        aria-invalid={isInvalid}
        aria-describedby={describedBy(id, value, isInvalid)}
        placeholder="Select departure airports"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
      />
    </Field>
  );
}

/** The ID of the chip that names the selection, or else of the error message. */
function describedBy(id: string, value: Airport | null, isInvalid: boolean): string | undefined {
  if (value !== null) return `${id}-selected`;
  return isInvalid ? problemId(id) : undefined;
}
