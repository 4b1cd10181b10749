/** Placeholders for the server to replace. They have letters only, so escaping does not change them. */
export const NAME_MARK = 'BRANDNAMEMARK';
export const LOGO_MARK = '/BRANDLOGOMARK';
