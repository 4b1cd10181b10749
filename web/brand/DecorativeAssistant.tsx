import assistant from './assistant.svg';

/** The decorative image of the assistant (Section 1), shown until there are results. */
export function DecorativeAssistant() {
  return (
    <div className="assistant">
      <img src={assistant} alt="" width={1600} height={900} fetchPriority="high" />
    </div>
  );
}
