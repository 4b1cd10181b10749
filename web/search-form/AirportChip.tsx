import { type Airport, expandAirport } from '../../domain/airport.ts';
import { ClearButton } from '../ui/ClearButton.tsx';

export interface AirportChipProps {
  id: string;
  airport: Airport;
  disabled: boolean;
  onRemove: () => void;
}

/** The selected airport, or the selected region with its number of airports. */
export function AirportChip({ id, airport, disabled, onRemove }: AirportChipProps) {
  return (
    <span className="chip">
      <span id={id} className="chip-name">
        {airport.isRegion ? `${airport.name} (all ${expandAirport(airport).length})` : airport.name}
      </span>
      {!disabled && <ClearButton words={`Remove ${airport.name}`} onClear={onRemove} />}
    </span>
  );
}
