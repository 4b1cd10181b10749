/** The oldest supported browsers, as in the README. The build converts newer syntax and styles for them. */
export const OLDEST_BROWSERS = ['chrome109', 'edge109', 'firefox115', 'safari16.4'];
