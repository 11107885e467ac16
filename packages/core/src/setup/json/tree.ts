/** What a settings file in JSON holds, with the offsets of everything: text is put in and taken out by them. */

/** A string, number, truth value or null. */
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

/** An element of an array. `start` and `end` are offsets, `end` behind the value. */
export interface Item {
  readonly start: number
  readonly end: number
  readonly value: JsonNode
  /** Offset of the comma behind it. */
  readonly comma: number | undefined
}

/** A member of an object; it starts with its key. */
export interface Member extends Item {
  readonly key: string
}

export interface Comment {
  readonly start: number
  /** Of a comment up to the end of its line: where the line break begins. */
  readonly end: number
}

/** What a container holds, in order: members of an object, items of a list; nothing for any other node. */
export const childrenOf = (node: JsonNode): readonly Item[] =>
  node.kind === 'object' ? node.members : node.kind === 'array' ? node.items : []

/**
 * The member with this key; of several the last, as agents' parsers take it. Undefined where there is none, or the node
 * is no object.
 */
export const memberOf = (node: JsonNode | undefined, key: string): Member | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined

/** The node that a path of keys leads to; undefined where it leads nowhere. The empty path leads to the root. */
export const nodeAt = (root: JsonNode | undefined, path: readonly string[]): JsonNode | undefined => {
  let node = root
  for (const key of path) node = memberOf(node, key)?.value
  return node
}

/** The value of a node that is a string; undefined for any other node, or none. */
export const textAt = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
