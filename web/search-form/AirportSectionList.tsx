import { type HTMLAttributes, useId } from 'react';
import { type Airport, isAirportSelected } from '../../domain/airport.ts';
import { Icon } from '../ui/Icon.tsx';
import type { AirportOption, AirportSection } from './airport-options.ts';

export interface AirportSectionListProps {
  section: AirportSection;
  selected: Airport | null;
  optionProps: (option: AirportOption) => HTMLAttributes<HTMLElement>;
}

/**
 * A region's heading, toggle and airports. The toggle is an option, because a listbox may contain only options and
 * groups, so arrow keys reach it.
 */
export function AirportSectionList({ section, selected, optionProps }: AirportSectionListProps) {
  const headingId = useId();
  const { heading, togglePlace, options } = section;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox may not contain a fieldset.
    <div role="group" aria-labelledby={headingId} className={`airport-section toggle-${togglePlace}`}>
      <span id={headingId} className="airport-heading">
        {heading?.name ?? 'Other airports'}
      </span>
      {options.map((option) => {
        const isSelected = isAirportSelected(option.airport, selected);
        const Option = option.kind === 'toggle' ? ToggleOption : AirportRow;
        return (
          <Option
            key={option.kind + option.airport.id}
            airport={option.airport}
            isSelected={isSelected}
            isGreyed={selected !== null && !isSelected}
            isApart={togglePlace === 'last'}
            props={optionProps(option)}
          />
        );
      })}
    </div>
  );
}

interface OptionProps {
  airport: Airport;
  isSelected: boolean;
  isGreyed: boolean;
  /** Whether the toggle is away from its heading, and has to name the region. */
  isApart: boolean;
  props: HTMLAttributes<HTMLElement>;
}

function ToggleOption({ airport, isSelected, isApart, props }: OptionProps) {
  return (
    <div {...props} className="airport-toggle">
      <span>{isSelected ? 'Deselect all' : 'Select all'}</span>
      <span className={isApart ? undefined : 'visually-hidden'}>{` ${airport.name} airports`}</span>
    </div>
  );
}

function AirportRow({ airport, isSelected, isGreyed, props }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role, option, is among the props.
    <div {...props} aria-checked={isSelected} className={isGreyed ? 'airport-row is-greyed' : 'airport-row'}>
      <span className="airport-tick">{isSelected && <Icon name="check" />}</span>
      <span className="option-name">{airport.name}</span> <span className="airport-code">{airport.code}</span>
    </div>
  );
}
