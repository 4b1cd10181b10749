import { type DocumentNode, valueFromASTUntyped } from 'graphql';

type Variables = Record<string, unknown>;

/**
 * Adds the defaults of a document's variables to those that are given, as a client would send them. The compiled query
 * ignores the default of a variable that may not be null, and the cost must be of the values that are searched for.
 */
export function defaultValues(document: DocumentNode): (given: Readonly<Variables>) => Variables {
  const defaults: Variables = Object.create(null);
  for (const node of document.definitions) {
    if (node.kind !== 'OperationDefinition') continue;
    for (const { variable, defaultValue } of node.variableDefinitions ?? []) {
      if (defaultValue !== undefined) defaults[variable.name.value] = valueFromASTUntyped(defaultValue);
    }
  }
  return (given) => Object.assign(Object.create(null), defaults, given);
}
