const SVG = 'http://www.w3.org/2000/svg';

type Child = Node | string;

/** An HTML element with children. `className` may be ''. Strings become text, never markup. */
export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

/** An SVG element with attributes and children. */
export function svg(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: Node[]
): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  element.append(...children);
  return element;
}
