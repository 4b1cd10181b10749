import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  type SelectionSetNode,
} from 'graphql';
import type { Collapse } from './package-repository.ts';
import { fragmentsOf, isConditional, isIntrospection } from './query-limits.ts';
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
 * The cost of a request: the sum over the query's root fields and their items. If the variables are invalid,
 * returns their errors instead, because the compiled query would accept some. Of more than ten errors, returns
 * only the first, because messages are large.
 */
export type CostOfVariables = (
  variables: Readonly<Record<string, unknown>>,
) => number | readonly GraphQLError[];

/** The factor for repeated items or rows in a document with `@skip` or `@include` (see `compiledQueries`). */
const CONDITIONAL_FACTOR = 2;

const MAX_ERRORS = 10;

const SHOWN_ERRORS = 1;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Selections under one name in the response: the same field, once or several times. */
type Selected = readonly [FieldNode, ...FieldNode[]];

/**
 * The cost of a valid document with one operation. Counts a field once per name in the response: aliases add
 * up, repeats by fragments do not. Ignores what `@skip` and `@include` decide.
 */
export function requestCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  collapse: Collapse,
): CostOfVariables {
  const operation = getOperationAST(document);
  const definitions = schema.getQueryType()?.getFields() ?? {};
  const fragments = fragmentsOf(document);
  const factor = isConditional(document) ? CONDITIONAL_FACTOR : 1;
  const fields = selectedIn(operation ? [operation.selectionSet] : [], fragments).map((selected) => ({
    field: selected[0],
    hasFacets: selectsFacets(selected, fragments),
    times: 1 + (timesReturned(selected, fragments) - 1) * factor,
  }));

  return (inputs) => {
    const { coerced, errors } = getVariableValues(schema, operation?.variableDefinitions ?? [], inputs, {
      maxErrors: MAX_ERRORS,
      hideSuggestions: true,
    });
    if (errors !== undefined)
      return errors.length > MAX_ERRORS
        ? [...errors.slice(0, SHOWN_ERRORS), ...errors.slice(MAX_ERRORS)]
        : errors;
    let units = 0;
    let items = 0;
    for (const { field, hasFacets, times } of fields) {
      if (isIntrospection(field)) units += INTROSPECTION_UNITS;
      const definition = definitions[field.name.value];
      if (definition === undefined || !isRootField(definition.name)) continue;
      const args = argumentsOf(definition, field, coerced);
      units +=
        fieldUnits(definition.name, args, collapse, hasFacets) + repeatedUnits(definition.name, args, times);
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
    // The field itself will report the error in the response.
    return null;
  }
}

/** Whether the facets of a search are selected, however `@skip` and `@include` decide. */
export function selectsFacets(selected: readonly FieldNode[], fragments: Fragments): boolean {
  return selectedIn(setsOf(selected), fragments).some(([{ name }]) => name.value === 'facets');
}

/** How many times the response contains the items or rows of a root field. */
function timesReturned(selected: Selected, fragments: Fragments): number {
  if (selected[0].name.value !== ('searchPackages' satisfies RootField)) return timesOf(selected, fragments);
  const items = selectedIn(setsOf(selected), fragments).filter(([{ name }]) => name.value === 'items');
  return Math.max(1, sumOf(items, fragments));
}

/** How many times the response contains the most repeated inner field, with its contents; 1 without inner fields. */
function timesOf(selected: Selected, fragments: Fragments): number {
  const inside = Map.groupBy(selectedIn(setsOf(selected), fragments), ([{ name }]) => name.value);
  return Math.max(1, ...[...inside.values()].map((same) => sumOf(same, fragments)));
}

function sumOf(fields: readonly Selected[], fragments: Fragments): number {
  return fields.reduce((sum, selected) => sum + timesOf(selected, fragments), 0);
}

function setsOf(selected: readonly FieldNode[]): SelectionSetNode[] {
  return selected.flatMap(({ selectionSet }) => selectionSet ?? []);
}

/** The fields of merged selections by response name. Follows fragments, each once. */
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
