/** The origin of this script, whose `/config.json` names the search service. The embedding page may be on another host. */
export const SCRIPT_ORIGIN = new URL(import.meta.url).origin;
