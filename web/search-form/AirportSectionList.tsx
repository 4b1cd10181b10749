import { type HTMLAttributes, useId } from 'react';
import { type Airport, isAirportSelected } from '../../domain/airport.ts';
import { Icon } from '../ui/Icon.tsx';
import type { AirportOption, AirportSection } from './airport-options.ts';

export interface AirportSectionListProps {
  section: AirportSection;
  held: Airport | null;
  optionProps: (option: AirportOption) => HTMLAttributes<HTMLElement>;
}

/**
 * A region's heading, its toggle and its airports. A listbox may hold nothing but options and groups of them,
 * so the toggle is an option too, which the arrow keys reach like the rest.
 */
export function AirportSectionList({ section, held, optionProps }: AirportSectionListProps) {
  const headingId = useId();
  const { heading, togglePlace, options } = section;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a listbox.
    <div role="group" aria-labelledby={headingId} className={`airport-section toggle-${togglePlace}`}>
      <span id={headingId} className="airport-heading">
        {heading?.name ?? 'Other airports'}
      </span>
      {options.map((option) => {
        const isHeld = isAirportSelected(option.airport, held);
        const Option = option.kind === 'toggle' ? ToggleOption : AirportRow;
        return (
          <Option
            key={option.kind + option.airport.id}
            airport={option.airport}
            isHeld={isHeld}
            isGreyed={held !== null && !isHeld}
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
  isHeld: boolean;
  isGreyed: boolean;
  /** A toggle away from its heading says what it is all of. */
  isApart: boolean;
  props: HTMLAttributes<HTMLElement>;
}

function ToggleOption({ airport, isHeld, isApart, props }: OptionProps) {
  return (
    <div {...props} className="airport-toggle">
      <span>{isHeld ? 'Deselect all' : 'Select all'}</span>
      <span className={isApart ? undefined : 'visually-hidden'}> {airport.name} airports</span>
    </div>
  );
}

function AirportRow({ airport, isHeld, isGreyed, props }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role, option, is among the props.
    <div {...props} aria-checked={isHeld} className={isGreyed ? 'airport-row is-greyed' : 'airport-row'}>
      <span className="airport-tick">{isHeld && <Icon name="check" />}</span>
      <span className="option-name">{airport.name}</span> <span className="airport-code">{airport.code}</span>
    </div>
  );
}
