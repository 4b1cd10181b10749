import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

const MAX_DEPTH = 4;

const MAX_ALIASES = 10;

/** Far more than useful queries have, but few enough to validate and compile in milliseconds. */
const MAX_SELECTIONS = 1_000;

/**
 * The error of a document whose fragments unfold to too many fields or use themselves: 2,000 characters could
 * otherwise take minutes to validate. Call it before validation.
 */
export function unfoldingErrors(document: DocumentNode): GraphQLError[] {
  const fragments = fragmentsOf(document);
  const unfolded = new Map<string, number>();
  const sizeOf = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce(
      (sum, node) =>
        sum + 1 + (node.kind === 'FragmentSpread' ? used(node.name.value) : sizeOf(node.selectionSet)),
      0,
    );
  function used(name: string): number {
    const known = unfolded.get(name);
    if (known !== undefined) return known;
    unfolded.set(name, Number.POSITIVE_INFINITY);
    const size = sizeOf(fragments.get(name)?.selectionSet);
    unfolded.set(name, size);
    return size;
  }
  const sizes = document.definitions.map((node) => ('selectionSet' in node ? sizeOf(node.selectionSet) : 0));
  const largest = Math.max(0, ...sizes);
  if (largest <= MAX_SELECTIONS) return [];
  return [
    new GraphQLError(
      Number.isFinite(largest)
        ? `A query can have at most ${MAX_SELECTIONS.toLocaleString('en-GB')} fields, counted in its fragments each time they are used.`
        : 'A fragment cannot use itself.',
    ),
  ];
}

/**
 * The errors of a document without exactly one operation, or with more than four levels, ten aliases, or an
 * impossible alias. Call it only for documents without `unfoldingErrors`.
 */
export function queryLimitErrors(document: DocumentNode): GraphQLError[] {
  const operation = getOperationAST(document);
  if (!operation) return [new GraphQLError('Send exactly one operation in a request.')];
  const errors: GraphQLError[] = [];
  if (depthOf(operation, document) > MAX_DEPTH) {
    errors.push(new GraphQLError(`A query can have at most ${MAX_DEPTH} levels.`));
  }
  if (aliasesOf(document).length > MAX_ALIASES) {
    errors.push(
      new GraphQLError(`A query can have at most ${MAX_ALIASES} aliases: send more than one request.`),
    );
  }
  if (aliasesOf(document).includes(FORBIDDEN_ALIAS)) {
    errors.push(
      new GraphQLError(`A response cannot have a field named ${FORBIDDEN_ALIAS}: use another alias.`),
    );
  }
  return errors;
}

/** JavaScript objects cannot have a property of this name, so the response would lack it. */
const FORBIDDEN_ALIAS = '__proto__';

function depthOf(operation: OperationDefinitionNode, document: DocumentNode): number {
  const fragments = fragmentsOf(document);
  // Measures each fragment once, because nested fragments would take exponential time.
  const measured = new Map<string, number>();
  const below = (set: SelectionSetNode | undefined): number =>
    Math.max(
      0,
      ...(set?.selections ?? []).map((node) => {
        if (node.kind === 'Field') return isIntrospection(node) ? 1 : 1 + below(node.selectionSet);
        if (node.kind === 'InlineFragment') return below(node.selectionSet);
        const name = node.name.value;
        const depth = measured.get(name) ?? below(fragments.get(name)?.selectionSet);
        measured.set(name, depth);
        return depth;
      }),
    );
  return below(operation.selectionSet);
}

/** A field that describes the schema. graphql's `MaxIntrospectionDepthRule` limits these. Tools need 15 levels. */
export function isIntrospection({ name }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type';
}

export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === 'FragmentDefinition')
      .map((node) => [node.name.value, node]),
  );
}

/** Whether a valid document uses `@skip` or `@include`, the only directives of queries. */
export function isConditional(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive() {
      found = true;
      return BREAK;
    },
  });
  return found;
}

function aliasesOf(document: DocumentNode): string[] {
  const aliases: string[] = [];
  visit(document, {
    Field({ alias }) {
      if (alias !== undefined) aliases.push(alias.value);
    },
  });
  return aliases;
}
