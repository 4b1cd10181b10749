import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Collapse } from './package-repository.ts';
import { fragmentsOf, isConditional } from './query-limits.ts';
import {
  fieldUnits,
  INTROSPECTION_UNITS,
  isRootField,
  itemUnits,
  mostItems,
  type RootField,
  repeatedUnits,
} from './search-cost.ts';

/**
 * The cost of a request's variables: the sum of all root fields of its query, and of their items together. Of variables that
 * are wrong, their errors instead: the compiled query would run some of them, such as those without a required variable named
 * `constructor`. Of more than ten errors, the first: each has the whole value in its message, so that thousands of them
 * would take seconds.
 */
export type CostOfVariables = (
  variables: Readonly<Record<string, unknown>>,
) => number | readonly GraphQLError[];

/** How many times as much each repeated item or row costs in a document with `@skip` or `@include`: `compiledQueries` says why. */
const CONDITIONAL_FACTOR = 2;

const MOST_ERRORS = 10;

/** Errors that an answer has of variables with more than the most. */
const SHOWN_ERRORS = 1;

/** The fields that describe the schema; `__typename` does not. */
const INTROSPECTION: ReadonlySet<string> = new Set(['__schema', '__type']);

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** What is selected under one name in the answer: the same field, once or several times. */
type Selected = readonly [FieldNode, ...FieldNode[]];

/**
 * The cost of a valid document with one operation. A field counts once for each name in the answer, also inside an answer:
 * aliases add up, and a field that fragments repeat does not. What `@skip` and `@include` decide is not considered, but
 * what an answer repeats costs more in a document with them.
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
  const fragments = fragmentsOf(document);
  const factor = isConditional(document) ? CONDITIONAL_FACTOR : 1;
  const fields = selectedIn(operation === undefined ? [] : [operation.selectionSet], fragments).map(
    (selected) => ({
      field: selected[0],
      times: 1 + (timesAnswered(selected, fragments) - 1) * factor,
    }),
  );

  return (inputs) => {
    const { coerced, errors } = getVariableValues(schema, operation?.variableDefinitions ?? [], inputs, {
      maxErrors: MOST_ERRORS,
      hideSuggestions: true,
    });
    if (errors !== undefined)
      return errors.length > MOST_ERRORS
        ? [...errors.slice(0, SHOWN_ERRORS), ...errors.slice(MOST_ERRORS)]
        : errors;
    let units = 0;
    let items = 0;
    for (const { field, times } of fields) {
      if (INTROSPECTION.has(field.name.value)) units += INTROSPECTION_UNITS;
      const definition = definitions[field.name.value];
      if (definition === undefined || !isRootField(definition.name)) continue;
      const args = argumentsOf(definition, field, coerced);
      units += fieldUnits(definition.name, args, collapse) + repeatedUnits(definition.name, args, times);
      items += times * mostItems(definition.name, args);
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

/** How many times an answer has the items or rows of a root field. */
function timesAnswered(selected: Selected, fragments: Fragments): number {
  if (selected[0].name.value !== ('searchPackages' satisfies RootField)) return timesOf(selected, fragments);
  const items = selectedIn(setsOf(selected), fragments).filter(([{ name }]) => name.value === 'items');
  return Math.max(1, sumOf(items, fragments));
}

/** The times of the field inside that is selected the most often, each with what is inside it; 1 if there is none. */
function timesOf(selected: Selected, fragments: Fragments): number {
  const inside = Map.groupBy(selectedIn(setsOf(selected), fragments), ([{ name }]) => name.value);
  return Math.max(1, ...[...inside.values()].map((same) => sumOf(same, fragments)));
}

function sumOf(fields: readonly Selected[], fragments: Fragments): number {
  return fields.reduce((sum, selected) => sum + timesOf(selected, fragments), 0);
}

function setsOf(selected: Selected): SelectionSetNode[] {
  return selected.flatMap(({ selectionSet }) => selectionSet ?? []);
}

/** The fields of selections that are merged, by their names in the answer, through fragments. Each fragment is entered once. */
function selectedIn(sets: readonly SelectionSetNode[], fragments: Fragments): Selected[] {
  const found = new Map<string, [FieldNode, ...FieldNode[]]>();
  const entered = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === 'Field') {
        const name = node.alias?.value ?? node.name.value;
        const same = found.get(name);
        if (same === undefined) found.set(name, [node]);
        else same.push(node);
      } else if (node.kind === 'InlineFragment') collect(node.selectionSet);
      else if (!entered.has(node.name.value)) {
        entered.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) collect(set);
  return [...found.values()];
}
