/** The dashboard's pages of what the editor shows: a session, a memory entry, a note, a checkpoint. */
import { MEMORY_SCHEME, MEMORY_TEXT_SCHEME, rememberedTextOf } from '../memory/memory-address.ts'
import { SESSION_SCHEME } from '../transcript/session-address.ts'
import { addressQueryOf } from '../views/node-of-kind.ts'

/** A session's page. */
export const sessionPage = (sessionId: string): string => `/sessions/${encodeURIComponent(sessionId)}`

const memoryPage = (facts: Readonly<Record<string, string>>): string =>
  `/memory?${new URLSearchParams(facts).toString()}`

/** A text at a path of fields; undefined where there is none. */
const textAt = (value: unknown, ...[field, ...others]: readonly string[]): string | undefined => {
  if (field === undefined) return typeof value === 'string' ? value : undefined
  return typeof value === 'object' && value !== null ? textAt(Reflect.get(value, field), ...others) : undefined
}

/** The page of a node of a tree; undefined for one that has none. */
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

/** The page of a document; undefined for one that the dashboard does not show. */
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

/** The page of what a menu gives: a node of a tree, or a document's address. Undefined for anything else. */
export const pageOf = (given: unknown): string | undefined => pageOfDocument(given) ?? pageOfNode(given)

/** The address of a page of a running dashboard; `base` has its token, which stays. */
export const pageAddress = (base: string, page: string): string => {
  const address = new URL(page, base)
  for (const [name, value] of new URL(base).searchParams) address.searchParams.set(name, value)
  return address.href
}
