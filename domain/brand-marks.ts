/**
 * Placeholders that the build prerenders and the server replaces. Letters only, so that escaping does not
 * change them.
 */
export const NAME_MARK = 'BRANDNAMEMARK';
export const LOGO_MARK = '/BRANDLOGOMARK';
