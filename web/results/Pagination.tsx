import type { Page } from '../../domain/sort-and-page.ts';

interface PaginationProps {
  page: Page;
  /** Whether the server has more results than are loaded; Next fetches them. */
  hasMore: boolean;
  onPage: (page: number) => void;
}

/** Previous, 'Page N' and Next; hidden for a single page (Section 2). */
export function Pagination({ page: { currentPage, totalPages }, hasMore, onPage }: PaginationProps) {
  if (totalPages <= 1 && !hasMore) return null;
  return (
    <nav className="pagination" aria-label="Pages of results">
      <button
        type="button"
        className="button-quiet"
        disabled={currentPage <= 1}
        onClick={() => onPage(currentPage - 1)}
      >
        Previous
      </button>
      <span className="pagination-page" aria-current="page">
        {`Page ${currentPage}`}
      </span>
      <button
        type="button"
        className="button-quiet"
        disabled={currentPage >= totalPages && !hasMore}
        onClick={() => onPage(currentPage + 1)}
      >
        Next
      </button>
    </nav>
  );
}
