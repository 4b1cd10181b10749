import type { MessageText } from '../tables/messages.ts';

type Template = MessageText['template'];

/** Our template whose provider's name is `name`, or null. */
export function templateNamed(templates: Readonly<Record<Template, string>>, name: string): Template | null {
  const found = Object.entries(templates).find(([, held]) => held === name)?.[0];
  return found === undefined ? null : (found as Template);
}
