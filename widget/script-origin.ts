/** This script's origin, whose `/config.json` names the search service. The page may be on another host. */
export const SCRIPT_ORIGIN = new URL(import.meta.url).origin;
