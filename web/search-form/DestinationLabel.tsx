import type { DestinationOption } from '../../domain/destination.ts';
import { Icon } from '../ui/Icon.tsx';
import { highlightMatch } from './highlight-match.ts';

const ICONS = { country: 'globe', region: 'map', resort: 'pin' } as const;

/** An option's label with the typed text highlighted, after the icon of its kind. */
export function DestinationLabel({ option, text }: { option: DestinationOption; text: string }) {
  let at = 0;
  return (
    <>
      <Icon name={ICONS[option.kind]} />
      <span className="option-name">
        {highlightMatch(option.label, text).map((piece) => {
          const key = at;
          at += piece.text.length;
          const Piece = piece.matched ? 'mark' : 'span';
          return <Piece key={key}>{piece.text}</Piece>;
        })}
      </span>
    </>
  );
}
