import { offeredParties, type Party, partyCode, partyWords } from '../../domain/party.ts';
import { LabelledSelect } from '../ui/LabelledSelect.tsx';

export interface TravellersLineProps {
  /** The parties that packages are sold to. */
  parties: readonly Party[];
  value: Party;
  onChange: (party: Party) => void;
  disabled: boolean;
}

/** The choice of a party, under the form; absent if packages are sold only to two adults. */
export function TravellersLine({ parties, value, onChange, disabled }: TravellersLineProps) {
  const choices = offeredParties(parties);
  if (choices.length < 2) return null;
  return (
    <LabelledSelect
      label="Who’s travelling?"
      value={partyCode(value)}
      options={choices.map((party) => [partyCode(party), partyWords(party)])}
      onChange={(code) => onChange(choices.find((party) => partyCode(party) === code) ?? value)}
      disabled={disabled}
    />
  );
}
