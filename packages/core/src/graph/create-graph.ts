/** The graph over a store's ports: detects what a text means and collects what is known about it. */
import { CairnError } from '../errors.ts'
import { assertText } from '../input.ts'
import { aboutCommit, HASH } from './about-commit.ts'
import { aboutEntry } from './about-entry.ts'
import { aboutFile } from './about-file.ts'
import { aboutMessage, MESSAGE_REFERENCE } from './about-message.ts'
import { aboutSession } from './about-session.ts'
import { aboutSymbol } from './about-symbol.ts'
import { GRAPH_NODE_KINDS, type Graph, type GraphNode, type GraphNodeKind, type GraphQuery } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { looksLikePath } from './paths.ts'
import { buildAnswer, createQuestion, type GraphSources, type Question } from './question.ts'

/** `isExplicit`: whether the text itself states its kind. */
type Ask = (text: string, question: Question, isExplicit: boolean) => Promise<GraphNode | undefined>

const ASKS: Readonly<Record<GraphNodeKind, Ask>> = {
  file: aboutFile,
  symbol: aboutSymbol,
  session: aboutSession,
  message: aboutMessage,
  entry: aboutEntry,
  commit: aboutCommit,
}
/** A shorter text is not treated as an id prefix: any word could be the beginning of an id. */
const SHORTEST_ID_PREFIX = 4

/**
 * Creates the graph over the parts of a store; it only reads. Unless a text states its kind (`file:`, …), the kinds are
 * tried in turn, and the first that is known answers. `about` rejects with `not-found` if none is, with `ambiguous` if
 * none is and several ids fit, and with `invalid-input` for a wrong query.
 */
export const createGraph = ({ sessions, search, memory }: GraphSources): Graph => ({
  /**
   * Tries the kinds that the text may have, one after the other, each with fresh links: the first that is known
   * answers. Throws what was ambiguous first where none is, else `not-found`.
   */
  about: async (what, query = {}) => {
    assertText(what, 'What the graph is asked about')
    const { kind, text } = referenceIn(what)
    checkQuery(text, query)
    let unclear: CairnError | undefined
    for (const each of kind === undefined ? kindsOf(text) : [kind]) {
      const question = createQuestion({ sessions, search, memory }, query)
      try {
        const node = await ASKS[each](text, question, kind !== undefined)
        if (node !== undefined) return await buildAnswer(question, node)
      } catch (error) {
        // Of a text that does not say what it is, something else may be meant.
        if (!CairnError.is(error) || error.code !== 'ambiguous' || kind !== undefined) throw error
        unclear ??= error
      }
    }
    throw unclear ?? notFound(text, kind, query)
  },
})

interface Reference {
  /** The kind stated by the text; undefined if there is none. */
  readonly kind: GraphNodeKind | undefined
  readonly text: string
}

/** Splits "kind:text"; without a known kind before a colon, all of it is the text. */
const referenceIn = (what: string): Reference => {
  const [, name, rest] = /^([a-z]+):(.*)$/s.exec(what.trim()) ?? []
  const kind = GRAPH_NODE_KINDS.find((each) => each === name)
  return kind === undefined || rest === undefined ? { kind: undefined, text: what.trim() } : { kind, text: rest.trim() }
}

/**
 * The kinds that a text may have, most likely first. `symbol` always is the last. A path is more likely a file than a
 * session.
 */
const kindsOf = (text: string): readonly GraphNodeKind[] => [
  ...(MESSAGE_REFERENCE.test(text) ? (['message'] as const) : []),
  ...(looksLikePath(text) ? (['file'] as const) : []),
  ...(text.length >= SHORTEST_ID_PREFIX ? (['session', 'entry'] as const) : []),
  ...(HASH.test(text) ? (['commit'] as const) : []),
  ...(looksLikePath(text) ? [] : (['file'] as const)),
  'symbol',
]

/** @throws CairnError `invalid-input` for an empty text, a limit out of range or a time that is no number */
const checkQuery = (text: string, { limit = GRAPH_LIMITS.links, since, until }: GraphQuery): void => {
  if (text === '')
    throw new CairnError(
      'invalid-input',
      'Say what you want to know about: a file, a symbol, a session, a message, a memory entry or a commit.',
    )
  if (!Number.isInteger(limit) || limit < 1 || limit > GRAPH_LIMITS.mostLinks)
    throw new CairnError('invalid-input', `The limit must be a whole number from 1 to ${GRAPH_LIMITS.mostLinks}.`)
  if (Number.isNaN(since) || Number.isNaN(until))
    throw new CairnError('invalid-input', 'A time must be a number of milliseconds since 1970.')
}

const LOOKED_FOR: Readonly<Record<GraphNodeKind, string>> = {
  file: 'No session touched or named, and no memory entry cites, a file',
  symbol: 'No message and no memory entry names',
  session: 'There is no session whose id is, or starts with,',
  message: 'There is no message at the place (session#number)',
  entry: 'There is no memory entry whose id is, starts or ends with,',
  commit: 'No message and no memory entry names a commit (7 to 40 hexadecimal digits)',
}

/**
 * The error (made, not thrown) for something of which nothing is known, with the kind, workspace and time that were
 * asked for.
 */
const notFound = (
  text: string,
  kind: GraphNodeKind | undefined,
  { workspace, since, until }: GraphQuery,
): CairnError => {
  const where = workspace === undefined ? '' : ` in the workspace "${workspace}"`
  const when = since === undefined && until === undefined ? '' : ' in that time'
  const looked = kind === undefined ? 'Nothing is known about' : LOOKED_FOR[kind]
  const rest =
    kind === undefined ? ': no file, symbol, session, message, memory entry or commit of that name was found' : ''
  return new CairnError('not-found', `${looked} "${text}"${rest}${where}${when}.`)
}
