type Part = string | number | false | null;

interface Fact {
  term: string;
  parts: readonly Part[];
  /** Less important parts. */
  quiet?: readonly Part[];
  /** On a phone the last part is cut short instead of wrapped. */
  isOneLine?: boolean;
}

/** Terms with their known parts, separated by dots. Terms without a known part are left out. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="holiday-details">
      {facts.map(({ term, parts, quiet = [], isOneLine = false }) => {
        const known = [
          ...parts.map((part) => [part, '']),
          ...quiet.map((part) => [part, ' is-quiet']),
        ].filter(([part]) => part);
        if (known.length === 0) return null;
        return (
          <div key={term} className={`holiday-detail${isOneLine ? ' is-one-line' : ''}`}>
            <dt>{term}</dt>
            <dd>
              {known.map(([part, quietly]) => (
                <span key={String(part)} className={`holiday-fact${quietly}`}>
                  {part}
                </span>
              ))}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
