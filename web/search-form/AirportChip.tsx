import { type Airport, expandAirport } from '../../domain/airport.ts';
import { ClearButton } from '../ui/ClearButton.tsx';

export interface AirportChipProps {
  id: string;
  airport: Airport;
  disabled: boolean;
  onRemove: () => void;
}

/** The one selection that is held: an airport, or a region with how many airports it stands for. */
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
