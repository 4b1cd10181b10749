import { ClearButton } from '../ui/ClearButton.tsx';
import { Field, problemId } from '../ui/Field.tsx';
import { ListPopup } from '../ui/ListPopup.tsx';
import { PoliteStatus } from '../ui/PoliteStatus.tsx';
import { RetryMessage } from '../ui/RetryMessage.tsx';
import type { DestinationFieldProps } from './destination-field-props.ts';
import { useDestinationCombobox } from './use-destination-combobox.ts';

/** 'Destination': an autocomplete over countries, regions and resorts (Section 2). */
export function DestinationField(props: DestinationFieldProps) {
  const field = useDestinationCombobox(props);
  const { disabled, label = 'Destination', explore } = props;
  const { id, text, query, options, ready, trouble, words } = field;
  const offer = (explore && ready?.code.anywhereOffer(text)) ?? null;
  const isOpen = field.isOpen && offer === null;
  const isInvalid = field.isInvalid && offer === null;

  return (
    <Field
      id={id}
      label={label}
      icon="pin"
      disabled={disabled}
      problem={isInvalid ? 'Choose a place from the list' : undefined}
      below={
        <>
          <ListPopup
            isOpen={isOpen}
            note={field.note}
            list={
              <ul {...field.listProps('Places')} hidden={options.length === 0}>
                {isOpen &&
                  ready !== null &&
                  options.map((option) => (
                    <li key={option.tuple.join('\n')} {...field.optionProps(option)}>
                      <ready.code.DestinationLabel option={option} text={query} />
                    </li>
                  ))}
              </ul>
            }
          />
          {offer !== null && <p className="anywhere">{explore?.(offer)}</p>}
          <PoliteStatus words={offer ?? (isOpen ? words : '')} />
          {trouble !== null && <RetryMessage className="field-problem" {...trouble} />}
        </>
      }
    >
      <input
        {...field.inputProps}
        aria-invalid={isInvalid}
        aria-describedby={isInvalid ? problemId(id) : undefined}
        onFocus={(event) => {
          field.preload();
          event.currentTarget.select();
        }}
        placeholder="Where do you want to go?"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
      />
      {text !== '' && !disabled && <ClearButton words="Clear destination" onClear={field.clear} />}
    </Field>
  );
}
