/** The dashboard's pages of what the editor shows: a session, a memory entry, a note, a checkpoint. */
import { MEMORY_SCHEME, MEMORY_TEXT_SCHEME, rememberedTextOf } from '../memory/memory-address.ts'
import { SESSION_SCHEME } from '../session-text/session-address.ts'
import { addressQueryOf } from '../views/node-of-kind.ts'

/** Returns the path of a session's page. */
export const sessionPage = (sessionId: string): string => `/sessions/${encodeURIComponent(sessionId)}`

/** Returns the path of the memory page with these query parameters. */
const memoryPage = (facts: Readonly<Record<string, string>>): string =>
  `/memory?${new URLSearchParams(facts).toString()}`

/** Returns the text at a path of nested fields; undefined if there is none. */
const textAt = (value: unknown, ...[field, ...others]: readonly string[]): string | undefined => {
  if (field === undefined) return typeof value === 'string' ? value : undefined
  return typeof value === 'object' && value !== null ? textAt(Reflect.get(value, field), ...others) : undefined
}

/**
 * Returns the path of the page of a tree's node; undefined for a node without one. A checkpoint without a session has
 * the list of all.
 */
const pageOfNode = (node: unknown): string | undefined => {
  const [sessionId, entry, key] = [
    textAt(node, 'session', 'id'),
    textAt(node, 'entry', 'id'),
    textAt(node, 'note', 'key'),
  ]
  const project = textAt(node, 'entry', 'workspace') ?? textAt(node, 'note', 'workspace')
  switch (textAt(node, 'kind')) {
    case 'session':
      return sessionId === undefined ? undefined : sessionPage(sessionId)
    case 'checkpoint':
      return sessionId === undefined ? '/checkpoints' : `${sessionPage(sessionId)}?view=checkpoints`
    case 'entry':
      return entry === undefined || project === undefined ? undefined : memoryPage({ project, entry })
    case 'note':
      return key === undefined || project === undefined ? undefined : memoryPage({ view: 'notes', project, note: key })
    default:
      return undefined
  }
}

/** Returns the path of the page of a document; undefined for a document that the dashboard does not show. */
const pageOfDocument = (uri: unknown): string | undefined => {
  const sessionId = addressQueryOf(uri, [SESSION_SCHEME])
  if (sessionId !== undefined) return sessionPage(sessionId)
  const query = addressQueryOf(uri, [MEMORY_SCHEME, MEMORY_TEXT_SCHEME])
  const what = query === undefined ? undefined : rememberedTextOf(query)
  if (what === undefined) return undefined
  return what.kind === 'entry'
    ? memoryPage({ project: what.project, entry: what.id })
    : memoryPage({ view: 'notes', project: what.project, note: what.key })
}

/**
 * Returns the path of the page for what a menu passes: a node of a tree, or a document's address; undefined for
 * anything else.
 */
export const pageOf = (given: unknown): string | undefined => pageOfDocument(given) ?? pageOfNode(given)

/** Returns the address of a page of a running dashboard. `base`: the dashboard's address; its token is kept. */
export const pageAddress = (base: string, page: string): string => {
  const address = new URL(page, base)
  for (const [name, value] of new URL(base).searchParams) address.searchParams.set(name, value)
  return address.href
}
