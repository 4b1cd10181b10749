/**
 * Placeholders for a brand's name and logo in the page's templates: the build prerenders the page with them, and the
 * server replaces them. Letters only, so that escaping does not change them.
 */
export const NAME_MARK = 'BRANDNAMEMARK';
export const LOGO_MARK = '/BRANDLOGOMARK';
