/**
 * The origin that this script was loaded from. Its `/config.json` names the search service: the page that embeds the
 * widget may be on another host, whose own `/config.json` means something else or is missing.
 */
export const SCRIPT_ORIGIN = new URL(import.meta.url).origin;
