import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

const MAX_DEPTH = 4;

const MAX_ALIASES = 10;

/**
 * The errors of a document that exceeds the limits: one operation, four levels, ten aliases. Call it after validation,
 * which rejects recursive fragments.
 */
export function queryLimitErrors(document: DocumentNode): GraphQLError[] {
  const operations = document.definitions.filter((node) => node.kind === 'OperationDefinition');
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) {
    return [refusal('Send exactly one operation in a request.')];
  }
  const errors: GraphQLError[] = [];
  if (depthOf(operation, document) > MAX_DEPTH) {
    errors.push(refusal(`A query can have at most ${MAX_DEPTH} levels.`));
  }
  if (countAliases(document) > MAX_ALIASES) {
    errors.push(refusal(`A query can have at most ${MAX_ALIASES} aliases: send more than one request.`));
  }
  return errors;
}

function depthOf(operation: OperationDefinitionNode, document: DocumentNode): number {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === 'FragmentDefinition')
      .map((node) => [node.name.value, node]),
  );
  // Each fragment is measured once, because nested fragments would otherwise take exponential time.
  const measured = new Map<string, number>();
  const below = (set: SelectionSetNode | undefined): number =>
    Math.max(
      0,
      ...(set?.selections ?? []).map((node) => {
        if (node.kind === 'Field') return 1 + below(node.selectionSet);
        if (node.kind === 'InlineFragment') return below(node.selectionSet);
        const name = node.name.value;
        const depth = measured.get(name) ?? below(fragments.get(name)?.selectionSet);
        measured.set(name, depth);
        return depth;
      }),
    );
  return below(operation.selectionSet);
}

function countAliases(document: DocumentNode): number {
  let aliases = 0;
  visit(document, {
    Field(node) {
      if (node.alias !== undefined) aliases += 1;
    },
  });
  return aliases;
}

function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'QUERY_REFUSED' } });
}
