/** The oldest supported browsers, as in the README. Newer syntax and styles are rewritten for them. */
export const OLDEST_BROWSERS = ['chrome109', 'edge109', 'firefox115', 'safari16.4'];
