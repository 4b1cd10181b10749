import assistant from './assistant.svg';

/** The assistant as an image alone (Section 1): a lark on a fingerpost, where results will be. */
export function DecorativeAssistant() {
  return (
    <div className="assistant">
      <img src={assistant} alt="" width={1600} height={900} fetchPriority="high" />
    </div>
  );
}
