/** What a command is given by a menu or an item of a tree. */

/** Returns the value if it is a node of this kind; undefined for anything else, such as from the command palette. */
export const nodeOfKind = <Node extends { readonly kind: string }, Kind extends Node['kind']>(
  value: unknown,
  kind: Kind,
): Extract<Node, { readonly kind: Kind }> | undefined => {
  const isNode = typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind
  return isNode ? (value as Extract<Node, { readonly kind: Kind }>) : undefined
}

/** The query part of a document's URI, as menus of editors give it, where its scheme is one of `schemes`; undefined for any other value. */
export const addressQueryOf = (value: unknown, schemes: readonly string[]): string | undefined => {
  if (typeof value !== 'object' || value === null || !('scheme' in value) || !('query' in value)) return undefined
  const { scheme, query } = value
  return typeof scheme === 'string' && schemes.includes(scheme) && typeof query === 'string' ? query : undefined
}
