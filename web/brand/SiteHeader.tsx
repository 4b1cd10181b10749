import { navigate } from 'wouter/use-browser-location';
import logo from './logo.svg';

/** The brand header: it leads to '/', which hides results and keeps them (Section 2). */
export function SiteHeader({ brandName }: { brandName: string }) {
  return (
    <header className="site-header">
      <a
        className="site-brand"
        href="/"
        onClick={(event) => {
          // A click that asks for another tab or window is the browser's own.
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          if (location.pathname !== '/') navigate('/');
        }}
      >
        <img src={logo} alt="" width={40} height={40} />
        <span>{brandName}</span>
      </a>
      <p className="site-tagline">Flight and hotel, one honest price</p>
    </header>
  );
}
