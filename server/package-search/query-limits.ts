import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

const DEEPEST = 4;

const MOST_ALIASES = 10;

/**
 * What a valid document may cost: one operation, four levels, ten aliases. Call it after validation, which
 * refuses fragments that contain themselves.
 */
export function queryLimitErrors(document: DocumentNode): GraphQLError[] {
  const operations = document.definitions.filter((node) => node.kind === 'OperationDefinition');
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) {
    return [refusal('Send one operation in a request.')];
  }
  const errors: GraphQLError[] = [];
  if (depthOf(operation, document) > DEEPEST) {
    errors.push(refusal(`A query may go ${DEEPEST} levels deep: ask for fewer.`));
  }
  if (countAliases(document) > MOST_ALIASES) {
    errors.push(refusal(`A query may hold ${MOST_ALIASES} aliases: send more than one request.`));
  }
  return errors;
}

function depthOf(operation: OperationDefinitionNode, document: DocumentNode): number {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === 'FragmentDefinition')
      .map((node) => [node.name.value, node]),
  );
  // Each fragment is measured once, or a few that spread one another would take for ever.
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
