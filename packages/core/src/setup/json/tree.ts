/** The content of a JSON settings file with the offsets of everything, by which text is inserted and removed. */

/** A string, number, boolean or null. */
export interface ScalarNode {
  readonly kind: 'scalar'
  readonly start: number
  readonly end: number
  readonly value: string | number | boolean | null
}

export interface ObjectNode {
  readonly kind: 'object'
  readonly start: number
  readonly end: number
  readonly members: readonly Member[]
}

export interface ArrayNode {
  readonly kind: 'array'
  readonly start: number
  readonly end: number
  readonly items: readonly Item[]
}

export type JsonNode = ScalarNode | ObjectNode | ArrayNode

/** An element of an array. `start` and `end` are offsets; `end` is after the value. */
export interface Item {
  readonly start: number
  readonly end: number
  readonly value: JsonNode
  /** Offset of the comma after it. */
  readonly comma: number | undefined
}

/** A member of an object; it starts at its key. */
export interface Member extends Item {
  readonly key: string
}

export interface Comment {
  readonly start: number
  /** For a comment up to the end of its line: where the line break starts. */
  readonly end: number
}

/** The children of a container, in order: members of an object, items of a list; none for any other node. */
export const childrenOf = (node: JsonNode): readonly Item[] =>
  node.kind === 'object' ? node.members : node.kind === 'array' ? node.items : []

/**
 * The member with this key; if there are several, the last, as agents' parsers do. Undefined if there is none, or the
 * node is not an object.
 */
export const memberOf = (node: JsonNode | undefined, key: string): Member | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined

/** The node at a path of keys; undefined if there is none. The empty path is the root. */
export const nodeAt = (root: JsonNode | undefined, path: readonly string[]): JsonNode | undefined => {
  let node = root
  for (const key of path) node = memberOf(node, key)?.value
  return node
}

/** The value of a node that is a string; undefined for any other node, or none. */
export const textAt = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
