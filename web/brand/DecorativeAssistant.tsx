import assistant from './assistant.svg';

/** The assistant as an image alone (Section 1): it stands where results will be. */
export function DecorativeAssistant() {
  return (
    <div className="assistant">
      <img src={assistant} alt="" width={880} height={360} />
    </div>
  );
}
