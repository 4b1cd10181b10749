import { Icon } from './Icon.tsx';

/** A small cross in a field; `words` is its accessible name. */
export function ClearButton({ words, onClear }: { words: string; onClear: () => void }) {
  return (
    <button type="button" className="icon-button clear-button" onClick={onClear}>
      <Icon name="close" />
      <span className="visually-hidden">{words}</span>
    </button>
  );
}
