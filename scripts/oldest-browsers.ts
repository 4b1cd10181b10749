/** The oldest browsers that the build targets, as in the README: it converts newer syntax and styles. */
export const OLDEST_BROWSERS = ['chrome109', 'edge109', 'firefox115', 'safari16.4'];
