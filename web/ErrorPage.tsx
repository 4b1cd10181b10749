import lark from './brand/lark.svg';

/** The generic error page (Section 2), with what to do next. */
export function ErrorPage() {
  return (
    <main className="error-page">
      <img src={lark} alt="" width={240} height={212} />
      <div role="alert">
        <h1>Unexpected Application Error!</h1>
        <p>Sorry, something went wrong on our side. Your search is saved in this page’s address.</p>
      </div>
      <p className="error-page-actions">
        <button type="button" className="button-action" onClick={() => location.reload()}>
          Reload the page
        </button>
        <a className="button-quiet" href="/">
          Start a new search
        </a>
      </p>
    </main>
  );
}
