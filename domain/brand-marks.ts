/**
 * The build writes these placeholders, the server replaces them. Letters only, so that escaping keeps them.
 */
export const NAME_MARK = 'BRANDNAMEMARK';
export const LOGO_MARK = '/BRANDLOGOMARK';
