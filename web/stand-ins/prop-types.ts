/** A validator that accepts everything, like the package's validators in production. */
const check = Object.assign(() => check, {}) as (() => unknown) & { isRequired: unknown };
check.isRequired = check;

/** Replaces the package `prop-types`: downshift declares prop types with it, and nothing on the page reads them. */
export default {
  any: check,
  array: check,
  bool: check,
  func: check,
  number: check,
  shape: check,
  string: check,
  /** Called in development builds only. */
  checkPropTypes: () => {},
};
