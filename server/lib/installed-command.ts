/**
 * A command as the operator types it: in production the `skylark` that the guide installs (docs/operations.md),
 * otherwise npm's. `name` is npm's script.
 */
export function installedCommand(name: string, words = '', { NODE_ENV } = process.env): string {
  if (NODE_ENV === 'production') return `skylark ${name.replace(':', '-')} ${words}`.trim();
  return `npm run ${name}${words === '' ? '' : ` -- ${words}`}`;
}
