/** The paths of the single page, which the server serves and Web Vitals are reported for. */
export const PAGE_PATHS = ['/', '/results', '/explore', '/shortlist', '/alerts'] as const;
