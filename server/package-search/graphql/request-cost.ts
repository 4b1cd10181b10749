import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  isInputObjectType,
  isListType,
  isNonNullType,
  type SelectionSetNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import type { Collapse } from '../query/package-repository.ts';
import {
  fieldUnits,
  INTROSPECTION_UNITS,
  itemUnits,
  mostItems,
  repeatedUnits,
} from '../query/search-cost.ts';
import { type ParsedField, parseField, ROOT_FIELDS, type RootField } from '../query/search-request.ts';
import { fragmentsOf, isConditional, isIntrospection } from './query-limits.ts';

/** The parsed arguments of root fields by their names in the response. */
export type ParsedFields = ReadonlyMap<string, ParsedField>;

export interface RequestCost {
  /** The sum over the query's root fields and their items. */
  units: number;
  fields: ParsedFields;
}

/**
 * The cost of a request. If the variables are invalid, returns the first error instead, because the compiled query
 * would accept some. `extensions.field` names the value.
 */
export type CostOfVariables = (
  variables: Readonly<Record<string, unknown>>,
) => RequestCost | readonly GraphQLError[];

/** The factor for repeated items or rows in a document with `@skip` or `@include` (see `compiledQueries`). */
const CONDITIONAL_FACTOR = 2;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Selections under one name in the response: the same field, once or several times. */
type Selected = readonly [FieldNode, ...FieldNode[]];

/**
 * The cost of a valid document with one operation, before it runs: limits on its text say little, and counting rows
 * would do the work before the refusal. Counts a field once per name in the response: aliases add
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
      maxErrors: 1,
      hideSuggestions: true,
    });
    if (errors?.[0] !== undefined)
      return [withField(errors[0], schema, operation?.variableDefinitions, inputs)];
    let units = 0;
    let items = 0;
    const parsedFields = new Map<string, ParsedField>();
    for (const { field, hasFacets, times } of fields) {
      if (isIntrospection(field)) units += INTROSPECTION_UNITS;
      const definition = definitions[field.name.value];
      const root = ROOT_FIELDS.find((name) => name === definition?.name);
      if (definition === undefined || root === undefined) continue;
      const parsed = parseField(root, argumentsOf(definition, field, coerced));
      parsedFields.set(nameInResponse(field), parsed);
      units += fieldUnits(parsed, collapse, hasFacets) + repeatedUnits(parsed, times);
      items += times * mostItems(parsed);
    }
    return { units: units + itemUnits(items), fields: parsedFields };
  };
}

/** Adds the invalid value's place, such as `filters.startDate`, to the first error of these variables. */
function withField(
  error: GraphQLError,
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[] = [],
  inputs: Readonly<Record<string, unknown>>,
): GraphQLError {
  const fields = definitions.map(({ type, variable: { name }, defaultValue }) => {
    const inputType = typeFromAST(schema, type) as GraphQLInputType | undefined;
    const isOmitted = defaultValue !== undefined && inputs[name.value] === undefined;
    return isOmitted || inputType === undefined
      ? null
      : invalidField(inputType, inputs[name.value], name.value);
  });
  const field = fields.find((place) => place !== null);
  return new GraphQLError(error.message, { nodes: error.nodes ?? null, extensions: { field } });
}

/** Where the first invalid value stands, with dots and from `path`; null if the value is valid. */
function invalidField(type: GraphQLInputType, value: unknown, path: string): string | null {
  if (isNonNullType(type)) return value == null ? path : invalidField(type.ofType, value, path);
  if (value == null) return null;
  const firstOf = (places: readonly (string | null)[]) => places.find((place) => place !== null) ?? null;
  if (isListType(type)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return firstOf(values.map((item) => invalidField(type.ofType, item, path)));
  }
  if (isInputObjectType(type)) {
    if (typeof value !== 'object') return path;
    const [fields, given] = [type.getFields(), new Map<string, unknown>(Object.entries(value))];
    const unknown = [...given.keys()].find((name) => !Object.hasOwn(fields, name));
    return firstOf([
      ...Object.values(fields).map(({ name, type }) =>
        invalidField(type, given.get(name), `${path}.${name}`),
      ),
      unknown === undefined ? null : `${path}.${unknown}`,
    ]);
  }
  try {
    type.parseValue(value);
    return null;
  } catch {
    return path;
  }
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

export function nameInResponse({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
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
        const same = found.get(nameInResponse(node));
        if (same === undefined) found.set(nameInResponse(node), [node]);
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
