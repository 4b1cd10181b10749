/**
 * What stands for a brand's name and logo in the page's templates: the build paints the page with these, and a
 * server fills them in. Plain letters, so that no escaping changes them.
 */
export const NAME_MARK = 'BRANDNAMEMARK';
export const LOGO_MARK = '/BRANDLOGOMARK';
