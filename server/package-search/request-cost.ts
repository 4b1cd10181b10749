import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Collapse } from './package-repository.ts';
import { fragmentsOf } from './query-limits.ts';
import { fieldUnits, INTROSPECTION_UNITS, isRootField, itemUnits, mostItems } from './search-cost.ts';

/**
 * The cost of a request's variables: the sum of all root fields of its query, and of their items together. Of variables that
 * are wrong, their errors instead: the compiled query would run some of them, such as those without a required variable named
 * `constructor`. Of more than ten errors, the first: each has the whole value in its message, so that thousands of them
 * would take seconds.
 */
export type CostOfVariables = (
  variables: Readonly<Record<string, unknown>>,
) => number | readonly GraphQLError[];

const MOST_ERRORS = 10;

/** Errors that an answer has of variables with more than the most. */
const SHOWN_ERRORS = 1;

/** The fields that describe the schema; `__typename` does not. */
const INTROSPECTION: ReadonlySet<string> = new Set(['__schema', '__type']);

/**
 * The cost of a valid document with one operation. A field counts once for each name in the answer: aliases add up,
 * and a field that fragments repeat does not. `@skip` and `@include` are not considered.
 */
export function requestCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  collapse: Collapse,
): CostOfVariables {
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === 'OperationDefinition',
  );
  const definitions = schema.getQueryType()?.getFields() ?? {};
  const fields = operation === undefined ? [] : rootFields(operation.selectionSet, document);

  return (inputs) => {
    const { coerced, errors } = getVariableValues(schema, operation?.variableDefinitions ?? [], inputs, {
      maxErrors: MOST_ERRORS,
    });
    if (errors !== undefined)
      return errors.length > MOST_ERRORS
        ? [...errors.slice(0, SHOWN_ERRORS), ...errors.slice(MOST_ERRORS)]
        : errors;
    let units = 0;
    let items = 0;
    for (const field of fields) {
      if (INTROSPECTION.has(field.name.value)) units += INTROSPECTION_UNITS;
      const definition = definitions[field.name.value];
      if (definition === undefined || !isRootField(definition.name)) continue;
      const args = argumentsOf(definition, field, coerced);
      units += fieldUnits(definition.name, args, collapse);
      items += mostItems(definition.name, args);
    }
    return units + itemUnits(items);
  };
}

function argumentsOf(
  definition: Parameters<typeof getArgumentValues>[0],
  field: FieldNode,
  variables: Parameters<typeof getArgumentValues>[2],
): unknown {
  try {
    return getArgumentValues(definition, field, variables);
  } catch {
    // The field's own error is in the answer.
    return null;
  }
}

/** The root fields by their names in the answer, through fragments. Each fragment is entered once. */
function rootFields(set: SelectionSetNode, document: DocumentNode): FieldNode[] {
  const fragments = fragmentsOf(document);
  const found = new Map<string, FieldNode>();
  const entered = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === 'Field') found.set(node.alias?.value ?? node.name.value, node);
      else if (node.kind === 'InlineFragment') collect(node.selectionSet);
      else if (!entered.has(node.name.value)) {
        entered.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet);
      }
    }
  };
  collect(set);
  return [...found.values()];
}
