import { useId } from 'react';
import { offeredParties, type Party, partyCode, partyWords } from '../../domain/party.ts';

export interface TravellersLineProps {
  /** The parties that packages are sold to. */
  parties: readonly Party[];
  value: Party;
  onChange: (party: Party) => void;
  disabled: boolean;
}

/** The choice of a party, under the form; absent if packages are sold only to two adults (ruling 17). */
export function TravellersLine({ parties, value, onChange, disabled }: TravellersLineProps) {
  const id = useId();
  const choices = offeredParties(parties);
  if (choices.length < 2) return null;
  return (
    <p className="travellers-line quiet-choice">
      <label htmlFor={id}>Who’s travelling?</label>
      <select
        id={id}
        value={partyCode(value)}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          const chosen = choices.find((party) => partyCode(party) === currentTarget.value);
          if (chosen) onChange(chosen);
        }}
      >
        {choices.map((party) => (
          <option key={partyCode(party)} value={partyCode(party)}>
            {partyWords(party)}
          </option>
        ))}
      </select>
    </p>
  );
}
