/** Extracts what is not Cairn's from a settings file, in a form in which two versions of the file can be compared. */
import type { JsonEntry } from '../target.ts'
import { findOwn } from './own.ts'
import { memberOf } from './tree.ts'
import type { JsonNode } from './tree.ts'

/**
 * Every scalar value that is not Cairn's, as text with its path (`."a"[0]=1`), in file order. Objects and lists are
 * represented only by their scalars; list elements are counted without Cairn's. Empty for an empty document.
 */
export const foreignValues = (root: JsonNode | undefined, entries: readonly JsonEntry[]): readonly string[] => {
  if (root === undefined) return []
  const own = new Set(findOwn(root, entries).map(({ node }) => node))
  const values: string[] = []
  /** Nodes still to be visited, the next one last. */
  const left: { readonly node: JsonNode; readonly path: string }[] = [{ node: root, path: '' }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, path } = next
    if (node.kind === 'scalar') {
      values.push(`${path}=${JSON.stringify(node.value)}`)
      continue
    }
    const inner: { readonly node: JsonNode; readonly path: string }[] = []
    if (node.kind === 'object') {
      for (const { key, value } of node.members)
        if (!own.has(value)) inner.push({ node: value, path: `${path}.${JSON.stringify(key)}` })
    } else {
      let position = 0
      for (const { value } of node.items)
        if (!isAllOwn(value, own)) inner.push({ node: value, path: `${path}[${position++}]` })
    }
    left.push(...inner.reverse())
  }
  return values
}

/** A handler of Cairn's, or a group whose handlers are all Cairn's. An empty group is not. */
const isAllOwn = (node: JsonNode, own: ReadonlySet<JsonNode>): boolean => {
  if (own.has(node)) return true
  const handlers = memberOf(node, 'hooks')?.value
  return handlers?.kind === 'array' && handlers.items.length > 0 && handlers.items.every(({ value }) => own.has(value))
}

/**
 * Whether two versions of a file differ only in Cairn's entries, and in the status line if that is replaced.
 * `replacesStatusLine`: what was there may go.
 */
export const isRestSame = (
  before: JsonNode | undefined,
  after: JsonNode | undefined,
  entries: readonly JsonEntry[],
  replacesStatusLine: boolean,
): boolean => {
  const isReplaced = (value: string): boolean =>
    replacesStatusLine && entries.some((entry) => entry.kind === 'status-line' && value.startsWith(pathText(entry.at)))
  const [was = [], is = []] = [before, after].map((root) =>
    foreignValues(root, entries).filter((value) => !isReplaced(value)),
  )
  return was.length === is.length && was.every((value, index) => value === is[index])
}

const pathText = (path: readonly string[]): string => path.map((key) => `.${JSON.stringify(key)}`).join('')
