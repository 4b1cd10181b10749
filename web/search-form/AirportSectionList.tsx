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
 * A region's heading, its toggle and its airports. A listbox may only contain options and groups of options, so the toggle
 * is an option too, and the arrow keys reach it.
 */
export function AirportSectionList({ section, held, optionProps }: AirportSectionListProps) {
  const headingId = useId();
  const { heading, togglePlace, options } = section;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox may not contain a fieldset.
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
  /** A toggle that is apart from its heading names the region. */
  isApart: boolean;
  props: HTMLAttributes<HTMLElement>;
}

function ToggleOption({ airport, isHeld, isApart, props }: OptionProps) {
  return (
    <div {...props} className="airport-toggle">
      <span>{isHeld ? 'Deselect all' : 'Select all'}</span>
      <span className={isApart ? undefined : 'visually-hidden'}>{` ${airport.name} airports`}</span>
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
