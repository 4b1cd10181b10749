import { type DocumentNode, valueFromASTUntyped } from 'graphql';

type Variables = Record<string, unknown>;

/**
 * Adds the defaults of a document's variables, because compiled queries ignore the default of a non-null
 * variable, and the cost depends on the values used.
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
