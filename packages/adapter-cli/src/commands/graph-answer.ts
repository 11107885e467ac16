/** The answer of `cairn graph`: links by relation, with counts and dates. */
import { CairnError, GRAPH_RELATIONS } from '@cairn/core'
import type { Engine, GraphAnswer, GraphLink, GraphNode, GraphNodeKind, GraphRelation } from '@cairn/core'
import { programName, storeOption } from '../options/called-as.ts'
import type { CommonOptions, Context } from '../command.ts'
import { importGroups, importsOfFile, importsJson, importsTotal, type AskedImports } from './graph-imports.ts'
import { formatDay, shortId } from '../output/memory-output.ts'
import { timeRange } from '../options/option-values.ts'
import { shownIds } from '../output/session-ids.ts'
import { shellCommand } from '../output/shell-word.ts'
import { counted, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { pad, shortenEnd, shortenPath, textWidth } from '../terminal/text-width.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { asUsage } from '../options/wrong-usage.ts'

/** The options of `cairn graph`. */
export interface GraphOptions extends CommonOptions {
  readonly since?: string
  readonly until?: string
  readonly kinds?: readonly GraphNodeKind[]
  readonly limit: number
}

const PLURALS: Readonly<Record<GraphNodeKind, string>> = {
  file: 'files',
  symbol: 'symbols',
  session: 'sessions',
  message: 'messages',
  entry: 'memory entries',
  commit: 'commits',
}

/** Relations of something that acted (a session, a message, an entry) to what it acted on, with their verbs. */
const ACTIONS = { edited: 'Edited', read: 'Read', mentions: 'Mentioned', names: 'Named', cites: 'Cited' } as const
type Action = keyof typeof ACTIONS

/** Whether a relation says that something acted on something else. */
const isAction = (relation: GraphRelation): relation is Action => Object.hasOwn(ACTIONS, relation)

/**
 * The heading for links of an action, seen from either end: the `Edited files` of a session, the sessions that a file
 * was `Edited in`.
 */
const actionHeading = (action: Action, asked: GraphNodeKind, linked: GraphNodeKind): string => {
  const others = PLURALS[linked]
  const verb = ACTIONS[action]
  if (asked === 'symbol' && linked === 'file') return `${verb} files where it is named`
  if (asked === 'file' && linked === 'symbol') return 'Symbols in its edits'
  if (linked === 'session' || linked === 'message') return `${verb} in ${others}`
  return linked === 'entry' ? `${action === 'cites' ? 'Cited' : 'Named'} by ${others}` : `${verb} ${others}`
}

/**
 * Returns the heading for links of a relation, seen from what was asked about: `asked` is its kind, `linked` that of
 * what it is linked with.
 */
const headingOf = (relation: GraphRelation, asked: GraphNodeKind, linked: GraphNodeKind): string => {
  if (isAction(relation)) return actionHeading(relation, asked, linked)
  const others = PLURALS[linked]
  switch (relation) {
    case 'learnt-in':
      return asked === 'entry' ? `Learnt in ${others}` : 'Learnt here'
    case 'committed':
      return asked === 'commit' ? `Committed in ${others}` : asked === 'file' ? 'Commits after its edits' : 'Commits'
    case 'forked-from':
      return 'Forked from'
    case 'edited-with':
      return 'Edited in the same sessions'
    case 'superseded-by':
      return 'Replaced by'
    case 'part-of':
      return 'Part of'
  }
}

/** A message's id: `session#seq`. */
const MESSAGE_ID = /^(.*)#(\d+)$/s

/** The session of a session or message node; undefined for other kinds. */
const sessionIdOf = ({ kind, id }: GraphNode): string | undefined =>
  kind === 'session' ? id : kind === 'message' ? MESSAGE_ID.exec(id)?.[1] : undefined

/** Returns short ids of entries and sessions, by their full ids; other nodes have none. Rejects as the store does. */
const shortNames = async (nodes: readonly GraphNode[], engine: Engine): Promise<ReadonlyMap<string, string>> => {
  const entries = nodes.flatMap(({ kind, id }): readonly (readonly [string, string])[] =>
    kind === 'entry' ? [[id, shortId(id)]] : [],
  )
  const ids = new Set(nodes.map(sessionIdOf).filter((id) => id !== undefined))
  const summaries = await Promise.all([...ids].map((id) => engine.store.sessions.get(id)))
  const sessions = await shownIds(
    summaries.filter((session) => session !== undefined),
    engine.store.sessions,
  )
  return new Map([...entries, ...sessions])
}

/** The largest share of a line that a path may take. */
const PATH_SHARE = 0.6

/**
 * Returns a node's name as other commands accept it; a path is shortened to its share of `width`. Cleaned; a message is
 * `session#seq`.
 */
const nameOf = (node: GraphNode, names: ReadonlyMap<string, string>, width: number): string => {
  const { kind, id } = node
  const [, session, seq] = kind === 'message' ? (MESSAGE_ID.exec(id) ?? []) : []
  if (session !== undefined) return neutraliseLine(`${names.get(session) ?? session}#${seq ?? ''}`)
  const plain = neutraliseLine(names.get(id) ?? id)
  return kind === 'file' ? shortenPath(plain, Math.floor(width * PATH_SHARE)) : plain
}

/** How often: in sessions for files edited together, otherwise as a count. */
const timesText = ({ relation, count }: GraphLink): string =>
  relation === 'edited-with' ? counted(count, 'session') : count === 1 ? 'once' : `${count} times`

/** Returns one line per link, of at most `width` columns: the node's name, the last date, how often, and its label. */
const groupLines = (
  links: readonly GraphLink[],
  names: ReadonlyMap<string, string>,
  width: number,
): readonly string[] => {
  const rows = links.map((link) => {
    const name = nameOf(link.node, names, width)
    return {
      name,
      day: formatDay(link.lastAt),
      times: timesText(link),
      label: link.node.kind === 'file' ? '' : labelOf(link.node),
    }
  })
  const widest = (pick: (row: (typeof rows)[number]) => string): number =>
    Math.max(...rows.map((row) => textWidth(pick(row))))
  const [nameWidth, dayWidth, timesWidth] = [
    widest(({ name }) => name),
    widest(({ day }) => day),
    widest(({ times }) => times),
  ]
  return rows.map(({ name, day, times, label }) =>
    shortenEnd(
      `  ${pad(name, nameWidth, 'left')}  ${pad(day, dayWidth, 'left')}  ${pad(times, timesWidth, 'left')}  ${label}`.trimEnd(),
      width,
    ),
  )
}

/** A node's label without its name, which is printed before it. */
const labelOf = ({ id, label }: GraphNode): string => {
  const [name, what] = [neutraliseLine(id), neutraliseLine(label)]
  return what.startsWith(name) ? what.slice(name.length).replace(/^:? /, '') : what
}

/** The node that was asked about: its kind, name, label and time. */
const nodeText = (node: GraphNode): string => {
  const [name, what] = [neutraliseLine(node.id), labelOf(node)]
  return `${node.kind === 'entry' ? 'memory entry' : node.kind} ${name}${what === '' ? '' : /^\(/.test(what) ? ` ${what}` : `: ${what}`}${node.at === null ? '' : ` · ${formatTime(node.at)}`}`
}

/** The links below one heading. */
interface Group {
  readonly heading: string
  /** All links of the group, and those that are shown. */
  readonly all: readonly GraphLink[]
  readonly shown: readonly GraphLink[]
}

/** Links grouped by heading, in the order of `GRAPH_RELATIONS`; a group's `shown` are the first `limit` of them. */
const groupsOf = ({ node, links }: GraphAnswer, limit: number): readonly Group[] => {
  const ordered = links.toSorted(
    (left, right) => GRAPH_RELATIONS.indexOf(left.relation) - GRAPH_RELATIONS.indexOf(right.relation),
  )
  const groups = Map.groupBy(ordered, (link) => headingOf(link.relation, node.kind, link.node.kind))
  return [...groups].map(([heading, all]) => ({ heading, all, shown: all.slice(0, limit) }))
}

/** Returns the node in bold, then each group below its heading, with how many are not shown. */
const answerLines = (
  node: GraphNode,
  groups: readonly Group[],
  names: ReadonlyMap<string, string>,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
): readonly string[] => [
  ...wrapLine(nodeText(node), width).map((line) => style('bold', line)),
  ...groups.flatMap(({ heading, all, shown }) => [
    '',
    style('cyan', heading),
    ...groupLines(shown, names, width),
    ...(all.length > shown.length ? [style('dim', `  … and ${all.length - shown.length} more`)] : []),
  ]),
]

/**
 * Returns a command that shows the first linked session, else the first memory entry; undefined if there is neither.
 * `names`: short ids, by node.
 */
const nextText = (
  links: readonly GraphLink[],
  names: ReadonlyMap<string, string>,
  options: GraphOptions,
  { surroundings }: Context,
): string | undefined => {
  const node =
    links.find(({ node: { kind } }) => kind === 'session')?.node ??
    links.find(({ node: { kind } }) => kind === 'entry')?.node
  if (node === undefined) return undefined
  return shellCommand(
    `${programName(surroundings)} ${node.kind === 'session' ? 'session show' : 'memory show'}`,
    names.get(node.id) ?? node.id,
    storeOption(options, surroundings),
  )
}

/** Links that are requested: more than are shown, so that every group gets some. */
const LINKS_ASKED = 1000

/**
 * Turns `error`, with which the store failed, into an answer without links for a file of which only its imports are
 * known. Throws `error` itself if it is not `not-found`, or if nothing is known of imports; `not-found` with the
 * sentence `missing` if there is one.
 */
const answerWithoutLinks = (error: unknown, { found, missing }: AskedImports): GraphAnswer => {
  if (!CairnError.is(error) || error.code !== 'not-found') throw error
  if (found === undefined) throw missing === undefined ? error : new CairnError('not-found', missing)
  return { node: { kind: 'file', id: found.path, label: found.path, at: null }, links: [], left: 0 }
}

/**
 * Prints what a file, symbol, session, entry or commit is linked with: `{node, links, left}` as JSON, for a file with
 * the fields of `importsJson`. At most `--limit` links below each heading are shown; `left` counts the others. No links
 * are no failure. Rejects with `not-found` or `ambiguous` if it can't be identified.
 */
export const runGraph = async (what: string, options: GraphOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const { timezone } = await context.settings(options)
  const range = timeRange(options, timezone.value, context.now())
  const workspace = await context.workspace(options)
  const engine = await context.readEngine(options)
  const { kinds, limit } = options
  const code = await importsOfFile(what, options, context)
  const known = engine.graph.about(what, {
    ...range,
    limit: LINKS_ASKED,
    ...(workspace === undefined ? {} : { workspace }),
    ...(kinds === undefined ? {} : { kinds }),
  })
  const answer = await asUsage(known.catch((error: unknown) => answerWithoutLinks(error, code)))
  const groups = groupsOf(answer, limit)
  const shown = groups.flatMap((group) => group.shown)
  const left = answer.left + answer.links.length - shown.length
  if (options.json === true) return context.json({ node: answer.node, links: shown, left, ...importsJson(code) })
  const names = await shortNames(
    shown.map(({ node }) => node),
    engine,
  )
  for (const line of answerLines(answer.node, groups, names, terminal)) await terminal.line(line)
  for (const line of importGroups(code, limit, terminal)) await terminal.line(line)
  await terminal.line()
  const next = nextText(shown, names, options, context)
  if (next !== undefined) await terminal.line(terminal.style('dim', next))
  const total =
    left === 0
      ? counted(shown.length, 'link')
      : `${shown.length} of ${counted(shown.length + left, 'link')} (--limit ${limit * 4} shows more)`
  const parts = [...(shown.length === 0 ? [] : [total]), ...importsTotal(code)]
  await terminal.line(parts.length === 0 ? 'Total: no links.' : `Total: ${parts.join(' · ')}`)
}
