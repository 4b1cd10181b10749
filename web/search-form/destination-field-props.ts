import type { ReactNode } from 'react';
import type { DestinationIndex } from '../../domain/destination-index.ts';
import type { SearchFormValue } from '../search/search-form-value.ts';
import type { LoadState } from '../ui/load-state.ts';

type Choice = NonNullable<SearchFormValue['destination']>;

export interface DestinationFieldProps {
  list: LoadState<DestinationIndex>;
  value: Choice | null;
  onChange: (choice: Choice | null) => void;
  onRetry: () => void;
  disabled: boolean;
  /** The field's label; 'Destination' if omitted. */
  label?: string;
  /** A link to Explore with these words, for visitors who type 'anywhere'; null: not offered. */
  explore?: ((words: string) => ReactNode) | null;
}
