/** `recall`: searches the messages of all sessions; gives a short list to choose from. */
import {
  CairnError,
  NO_KNOWLEDGE,
  knowledgeFor,
  knowledgeHolds,
  parseTime,
  phrasesNotFound,
  snippetOf,
} from '@cairn/core'
import type { Knowledge, ScoreExplanation, SearchHit, SessionHit, SessionSummary, WordCorrection } from '@cairn/core'
import { z } from 'zod'
import { definedValues } from '../../options/defined-values.ts'
import { otherProject, projectName } from '../../options/project-option.ts'
import { counted } from '../../terminal/format.ts'
import { EVERYWHERE } from '../projects.ts'
import { fitting, named, shortLine, timeText } from '../quoted.ts'
import { contentWordMatcher } from '../content-words.ts'
import { SINCE, UNTIL, defineTool } from '../tool.ts'
import type { Call, ToolAnswer } from '../tool.ts'

const TITLE_SHOWN = 80
const MOST_KNOWLEDGE = 3
const KNOWLEDGE_SHOWN = 240
const SNIPPET_SHOWN = 300
const AUTHOR_SHOWN = 60
const ID_SHOWN = 600

const DESCRIPTION = `Search everything that was said in all earlier coding sessions, of every agent on this machine, also what was trimmed or compacted away. Use it before starting work ("how did we set up auth?"), when something seems familiar, and when context was lost. Returns a short list: snippets with ids; open one with get_message or get_session. Use the words you would expect in the text; only quotation marks mean something: quoted words stand in every result, where any message has them. A word that nothing holds is taken for a typing error of a near one, and the answer says so.`

const input = z.strictObject({
  query: z.string().min(1).max(2000).describe('Words to look for, as they may have been said.'),
  by: z
    .enum(['message', 'session'])
    .default('message')
    .describe('message: single messages. session: which past sessions matter for this.'),
  workspace: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Project folder or name; "*" for all. Default: the current project, and all if nothing is found there.'),
  session: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Only this session (id or its beginning); not with by: session.'),
  role: z
    .enum(['user', 'assistant', 'system', 'tool'])
    .optional()
    .describe('Only what this role said; not with by: session.'),
  author: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only what this person said, by first name; not with by: session.'),
  file: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Only messages that read or edited this file: its path, or the end of it.'),
  branch: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Git branch. by: session weighs it, by: message filters by it.'),
  onlyBranch: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Only sessions on this git branch, by message and by session; not with branch.'),
  since: SINCE,
  until: UNTIL,
  limit: z.int().min(1).max(20).default(8),
})
type Args = z.infer<typeof input>

/** A result: a message, or a session with its best message. */
interface Row {
  readonly session: string
  readonly hit: SearchHit | undefined
  readonly hits: number
  /** Of the session where sessions were searched for, else of the message. */
  readonly explanation: ScoreExplanation
}

/** The tool `recall`: searches all messages of all sessions. */
export const recall = defineTool({
  name: 'recall',
  title: 'Recall past sessions',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input,
  /**
   * The tool `recall`: finds messages or sessions, with misspelt words corrected. Rejects with `invalid-input` for
   * arguments that don't go together.
   */
  run: async (args, call) => {
    if (args.by === 'session' && (args.role !== undefined || args.author !== undefined || args.session !== undefined))
      throw new CairnError(
        'invalid-input',
        '"role", "author" and "session" go with by "message": a session has all roles.',
      )
    if (args.branch !== undefined && args.onlyBranch !== undefined)
      throw new CairnError('invalid-input', 'Give either "branch" or "onlyBranch", not both.')
    const { query, corrections } = await corrected(args, call)
    const asked = { ...args, query }
    const { rows, where, workspace, current = (await call.ownProject())?.path ?? workspace } = await find(asked, call)
    const sessions = await summariesOf(rows, call)
    const { head = '', ...rest } = answer(
      asked,
      rows,
      sessions,
      where,
      knowledgeLines(await knowledge(asked, { workspace, current }, call), current),
    )
    const near =
      args.by === 'session'
        ? []
        : phrasesNotFound(
            query,
            rows.flatMap(({ hit }) => hit ?? []),
          )
    return { head: [...corrections.map(correctionText), ...nearText(near), head].join(' '), ...rest }
  },
})

/**
 * Returns the query with typing errors corrected, and the corrections. As typed, without corrections, if one of the
 * words to correct occurs in another project, in memory or in notes.
 */
const corrected = async (
  args: Args,
  call: Call,
): Promise<{ readonly query: string; readonly corrections: readonly WordCorrection[] }> => {
  const { engine } = call
  const asTyped = { query: args.query, corrections: [] }
  const sessionId = args.session === undefined ? undefined : (await engine.sessions.find(args.session)).id
  const workspace = sessionId === undefined ? await searchedProject(args, call) : undefined
  const { text, corrections } = await engine.recall.correct({
    text: args.query,
    ...definedValues({ workspace, sessionId }),
  })
  if (corrections.length === 0) return asTyped
  if (workspace !== undefined) {
    const everywhere = await engine.recall.correct({ text: args.query })
    if (everywhere.corrections.length < corrections.length) return asTyped
  }
  const kept = await knowledge(args, { workspace: undefined, current: workspace }, call)
  return knowledgeHolds(
    kept,
    corrections.map(({ word }) => word),
  )
    ? asTyped
    : { query: text, corrections }
}

/** A sentence about a corrected word. */
const correctionText = ({ word, instead }: WordCorrection): string =>
  `No “${named(word)}” anywhere; showing “${named(instead)}”.`

/** A sentence that no result has the quoted words; empty if there are none. */
const nearText = (phrases: readonly string[]): readonly string[] =>
  phrases.length === 0
    ? []
    : [
        `Nothing has ${phrases.map((phrase) => `“${named(phrase)}”`).join(' and ')} word for word; showing what comes near.`,
      ]

/** Whether all projects are searched: asked for, or the server's default if nothing else is asked for. */
const isEverywhere = ({ workspace, session }: Args, call: Call): boolean =>
  workspace === EVERYWHERE || (workspace === undefined && session === undefined && call.isEverywhere)

/** Returns the project that is searched first; undefined for all. */
const searchedProject = async (args: Args, call: Call): Promise<string | undefined> => {
  const { workspace } = args
  if (isEverywhere(args, call)) return undefined
  return workspace === undefined ? (await call.ownProject())?.path : call.filterProject(workspace)
}

/** Results and where they were searched. */
interface Found {
  readonly rows: readonly Row[]
  readonly where: string
  /** The project that was searched. */
  readonly workspace?: string | undefined
  /** The client's own project, where another or all were searched. */
  readonly current?: string | undefined
}

/**
 * Searches the project asked for, or all for a session; otherwise the client's own (all where it has none). If nothing
 * found there has a content word of the query, all projects are searched, unless the user chose the own one by a flag;
 * if those have none either, its own results stay.
 */
const find = async (args: Args, call: Call): Promise<Found> => {
  if (isEverywhere(args, call)) return { rows: await search(args, undefined, call), where: 'in all projects' }
  if (args.workspace !== undefined) {
    const workspace = await call.filterProject(args.workspace)
    return {
      rows: await search(args, workspace, call),
      where: `in ${workspace === undefined ? 'all projects' : named(workspace)}`,
      workspace,
    }
  }
  const own = args.session === undefined ? await call.ownProject() : undefined
  if (own === undefined)
    return {
      rows: await search(args, undefined, call),
      where: args.session === undefined ? 'in all projects' : 'in that session',
    }
  const inOwn: Found = { rows: await search(args, own.path, call), where: `in ${named(own.path)}`, workspace: own.path }
  if (own.chosen || (inOwn.rows.length > 0 && (await hasContentWord(args, inOwn, call)))) return inOwn
  call.signal.throwIfAborted()
  const elsewhere: Found = {
    rows: await search(args, undefined, call),
    where: `in other projects (nothing in ${named(own.path)})`,
    current: own.path,
  }
  // If no other project has one either, the results of the client's own are given.
  return inOwn.rows.length === 0 || (await hasContentWord(args, elsewhere, call)) ? elsewhere : inOwn
}

/**
 * Returns whether any message, memory entry or note that was found has a content word of the query; true for a session
 * that was found otherwise.
 */
const hasContentWord = async (args: Args, { rows, workspace, current }: Found, call: Call): Promise<boolean> => {
  const contentWords = contentWordMatcher(args.query)
  // A session without such a message was found by its files or branch.
  if (rows.some(({ hit, explanation }) => hit === undefined || contentWords.hit(explanation))) return true
  const { memory, notes } = await knowledge(args, { workspace, current: current ?? workspace }, call)
  return (
    memory.some(({ entry }) => contentWords.text([entry.text, ...entry.examples].join('\n'))) ||
    notes.some(({ note }) => contentWords.text(`${note.key} ${note.text}`))
  )
}

/**
 * Searches messages or sessions, best first; `role`, `author` and `session` are for messages alone. Rejects with
 * `usage` for a text that is no time, `not-found` or `ambiguous` for the session.
 */
const search = async (
  { query, by, session, role, author, file, branch, onlyBranch, since, until, limit }: Args,
  workspace: string | undefined,
  { engine, now, timeZone }: Call,
): Promise<readonly Row[]> => {
  const filter = {
    text: query,
    limit,
    ...(workspace === undefined ? {} : { workspace }),
    ...(file === undefined ? {} : { file }),
    ...(branch === undefined ? {} : { branch }),
    ...(onlyBranch === undefined ? {} : by === 'session' ? { onlyBranch } : { branch: onlyBranch }),
    ...timesOf({ since, until }, now, timeZone),
  }
  if (by === 'session') return (await engine.recall.sessions(filter)).map(rowOfSession)
  const sessionId = session === undefined ? undefined : (await engine.sessions.find(session)).id
  const hits = await engine.recall.messages({
    ...filter,
    ...(role === undefined ? {} : { role }),
    ...(author === undefined ? {} : { author }),
    ...(sessionId === undefined ? {} : { sessionId }),
  })
  return hits.map((hit) => ({ session: hit.sessionId, hit, hits: 1, explanation: hit.explanation }))
}

/** Returns a session that was found as a row; it has no message if none matches. */
const rowOfSession = ({ sessionId, best, hits, explanation }: SessionHit): Row => ({
  session: sessionId,
  hit: best,
  hits,
  explanation,
})

/** Returns the sessions of the rows, by id; without those that are gone. */
const summariesOf = async (rows: readonly Row[], { engine }: Call): Promise<ReadonlyMap<string, SessionSummary>> => {
  const summaries = new Map<string, SessionSummary>()
  for (const id of new Set(rows.map(({ session }) => session))) {
    const summary = await engine.store.sessions.get(id)
    if (summary !== undefined) summaries.set(id, summary)
  }
  return summaries
}

/** The projects of a search. */
interface Projects {
  /** The project that is searched, by path or name; undefined: all. */
  readonly workspace: string | undefined
  /** The client's own. */
  readonly current: string | undefined
}

/**
 * Memory entries and notes that match, of the time asked for. They have no role, author, session, file or branch, so
 * with such a condition there are none. By session `branch` is no condition: it only weighs sessions. At most
 * `MOST_KNOWLEDGE` of each, those of the project `current` first, then the best. Rejects with `usage` for what is no
 * time.
 */
const knowledge = async (
  { query, by, session, role, author, file, branch, onlyBranch, since, until }: Args,
  { workspace, current }: Projects,
  { engine, now, timeZone }: Call,
): Promise<Knowledge> => {
  const conditions = [session, role, author, file, onlyBranch, by === 'session' ? undefined : branch]
  if (conditions.some((condition) => condition !== undefined)) return NO_KNOWLEDGE
  return knowledgeFor(
    query,
    {
      workspace,
      ...(current === undefined ? {} : { current }),
      limit: MOST_KNOWLEDGE,
      ...timesOf({ since, until }, now, timeZone),
    },
    engine,
  )
}

/** The times asked for in ms. @throws CairnError `usage` for what is no time */
const timesOf = (
  { since, until }: Pick<Args, 'since' | 'until'>,
  now: number,
  timeZone: string,
): { readonly since?: number; readonly until?: number } => ({
  ...(since === undefined ? {} : { since: parseTime(since, timeZone, 'since', now) }),
  ...(until === undefined ? {} : { until: parseTime(until, timeZone, 'until', now) }),
})

/** Returns entries and notes as lines, entries first, with their project if it is not the current one. */
const knowledgeLines = ({ memory, notes }: Knowledge, current: string | undefined): readonly string[] => {
  const elsewhere = (project: string): string => {
    const name = otherProject(project, current ?? '')
    return name === undefined ? '' : ` · ${shortLine(name, TITLE_SHOWN)}`
  }
  return [
    ...memory.map(
      ({ entry }) =>
        `remembered ${entry.id} · ${entry.kind}${elsewhere(entry.workspace)}\n   ${shortLine(entry.text, KNOWLEDGE_SHOWN)}`,
    ),
    ...notes.map(
      ({ note }) =>
        `note ${shortLine(note.key, TITLE_SHOWN)}${elsewhere(note.workspace)}\n   ${shortLine(note.text, KNOWLEDGE_SHOWN)}`,
    ),
  ]
}

/** A message's id for `get_message`. */
const messageId = (hit: SearchHit): string => `${hit.sessionId}#${hit.seq}`

/** Returns title, project and branch of a session as the end of a line, as far as known; empty if it is unknown. */
const factsOf = (summary: SessionSummary | undefined): string => {
  if (summary === undefined) return ''
  const { title, workspace, branch } = summary
  const parts = [
    ...(title === null ? [] : [`"${shortLine(title, TITLE_SHOWN)}"`]),
    ...(workspace === null ? [] : [projectName(workspace)]),
    ...(branch === null ? [] : [branch]),
  ]
  return parts.map((part) => ` · ${shortLine(part, TITLE_SHOWN + 2)}`).join('')
}

const REPEATS_SHOWN = 3

/** Where else the same message occurs, on a line of its own; empty if nowhere. At most `REPEATS_SHOWN` places. */
const repeatsText = ({ alsoIn = [] }: SearchHit): string =>
  alsoIn.length === 0
    ? ''
    : `\n   (also ${alsoIn
        .slice(0, REPEATS_SHOWN)
        .map(({ sessionId, seq }) => shortLine(`${sessionId}#${seq}`, ID_SHOWN))
        .join(', ')}${alsoIn.length > REPEATS_SHOWN ? `, and ${alsoIn.length - REPEATS_SHOWN} more` : ''})`

/**
 * Returns the rows as the tool's answer, memory and notes (`lines`) first, as many as fit; that nothing was found is an
 * answer too.
 */
const answer = (
  { query, by }: Args,
  rows: readonly Row[],
  sessions: ReadonlyMap<string, SessionSummary>,
  where: string,
  lines: readonly string[],
): ToolAnswer => {
  if (rows.length === 0)
    return lines.length === 0
      ? { head: `Nothing was found ${where}. Try other words, or fewer.` }
      : { head: `Nothing was said ${where}, but kept:`, body: lines.join('\n') }
  const found = rows.map(({ session, hit, hits }, index) => {
    const summary = sessions.get(session)
    const head =
      by === 'session'
        ? `${index + 1}. ${session} · ${timeText(summary?.updatedAt)}${factsOf(summary)} · ${counted(hits, 'hit')}`
        : `${index + 1}. ${hit === undefined ? session : messageId(hit)} · ${timeText(hit?.at)} · ${[hit?.role ?? '', ...(hit?.author === undefined ? [] : [shortLine(hit.author, AUTHOR_SHOWN)])].join(' · ')}${factsOf(summary)}`
    const snippet =
      hit === undefined
        ? ''
        : `\n   ${shortLine(snippetOf(hit.text, query), SNIPPET_SHOWN)}${repeatsText(hit)}${by === 'session' ? `\n   (${shortLine(messageId(hit), ID_SHOWN)})` : ''}`
    return `${shortLine(head, ID_SHOWN)}${snippet}`
  })
  const all = [...lines, ...found]
  const shown = fitting(all)
  const next =
    by === 'session' ? 'Open one with get_session.' : 'Open one with get_message, its session with get_session.'
  return {
    head: `${counted(rows.length, by)} ${where}, best first. ${next}`,
    body: all.slice(0, shown).join('\n'),
    tail:
      shown < all.length
        ? `The last ${all.length - shown} had no room: ask with a lower limit, or with more words.`
        : '',
  }
}
