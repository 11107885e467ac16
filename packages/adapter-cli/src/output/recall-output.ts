/** The output of `cairn recall` for people. */
import { createMarker, snippetFor } from '@cairn/core'
import type {
  Engine,
  Knowledge,
  Marker,
  ScoreExplanation,
  SearchHit,
  SessionSummary,
  WordCorrection,
} from '@cairn/core'
import { programName, storeOption } from '../options/called-as.ts'
import type { CommonOptions, Context } from '../command.ts'
import { entryLines, shortId } from './memory-output.ts'
import { noteLines } from './note-output.ts'
import { currentProject, otherProject, projectName } from '../options/project-option.ts'
import type { RecallGrouping } from '../search/recall-queries.ts'
import type { Found } from '../search/recall-search.ts'
import { shownIds } from './session-ids.ts'
import { shellCommand } from './shell-word.ts'
import { counted, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { shortenEnd } from '../terminal/text-width.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'

/** What is needed of the terminal to draw results. */
type Paper = Pick<Terminal, 'style' | 'width' | 'isOutputTerminal'>

/** The results of a search. */
export interface Answer {
  /** As it was searched for. */
  readonly query: string
  readonly corrections: readonly WordCorrection[]
  /** Quoted words that no result has word for word. */
  readonly notVerbatim: readonly string[]
  readonly by: RecallGrouping
  readonly explain: boolean
  readonly found: readonly Found[]
  readonly knowledge: Knowledge
}

/** A text as dim lines, indented. */
const dim = (text: string, indent: string, { style, width }: Paper): readonly string[] =>
  wrapAfter(indent, text, width).map((line) => style('dim', line))

/** A number with about three digits. */
const fixed = (value: number): string => value.toFixed(Math.abs(value) < 0.995 ? 3 : 2)

/**
 * Returns the score with its parts (`score 3.21 (cairn): passage 1.00, window 0.80`), and which words were found. Parts
 * that are 0 are left out.
 */
const explanationText = (score: number, { ranker, parts, terms }: ScoreExplanation): readonly string[] => {
  const added = parts
    .filter(({ value }) => value !== 0)
    .map(({ name, value }) => `${neutraliseLine(name)} ${fixed(value)}`)
  const words = (found: boolean): string =>
    terms
      .filter((term) => term.found === found)
      .map(({ text }) => neutraliseLine(text))
      .join(', ')
  const [found, missing] = [words(true), words(false)]
  return [
    `score ${fixed(score)} (${ranker})${added.length === 0 ? '' : `: ${added.join(', ')}`}`,
    `words found: ${found === '' ? 'none' : found}${missing === '' ? '' : `; not found: ${missing}`}`,
  ]
}

/**
 * The projects that a result belongs to, such as `other` or `app, also in other`; undefined if only the current one.
 */
const projectText = (workspace: string, alsoIn: readonly string[], current: string): string | undefined => {
  const others = alsoIn.map((path) => otherProject(path, current) ?? projectName(path))
  if (others.length === 0) return otherProject(workspace, current)
  return `${otherProject(workspace, current) ?? projectName(workspace)}, also in ${others.join(', ')}`
}

/**
 * Returns memory entries and notes that were found as lines, each group under its heading and with a blank line behind
 * it; empty if there are none.
 */
const knowledgeLines = (
  { memory, notes }: Knowledge,
  marker: Marker,
  current: string,
  paper: Paper,
): readonly string[] => {
  const bold = (hit: string): string => paper.style('bold', hit)
  const lines: string[] = []
  if (memory.length > 0) lines.push(paper.style('bold', 'Memory'))
  for (const { entry, alsoIn } of memory) {
    lines.push(
      ...entryLines(entry, shortId(entry.id), paper, {
        mark: (line) => marker.mark(line, bold),
        project: projectText(entry.workspace, alsoIn, current),
        isShort: paper.isOutputTerminal,
      }),
    )
  }
  if (memory.length > 0) lines.push('')
  if (notes.length > 0) lines.push(paper.style('bold', 'Notes'))
  for (const { note, alsoIn } of notes)
    lines.push(...noteLines(note, marker, paper, projectText(note.workspace, alsoIn, current)))
  return notes.length > 0 ? [...lines, ''] : lines
}

/**
 * Returns the project's name ('' for none) and the title of a session, or else the agent's id of it; empty if the
 * session is unknown.
 */
const sessionFacts = (session: SessionSummary | undefined): readonly string[] => {
  if (session === undefined) return []
  const { workspace, title, externalId } = session
  return [workspace === null ? '' : neutraliseLine(projectName(workspace)), neutraliseLine(title ?? externalId)]
}

/**
 * Returns the line above a result: when, who or how many, project and title, as far as known. By session it says how
 * many messages match.
 */
const factsLine = ({ hit, hits }: Found, session: SessionSummary | undefined, by: RecallGrouping): string => {
  const own =
    by === 'session'
      ? [formatTime(session?.updatedAt ?? hit?.at ?? null), hits === 0 ? '' : counted(hits, 'matching message')]
      : [formatTime(hit?.at ?? null), hit?.role ?? '', neutraliseLine(hit?.author ?? '')]
  return [...own, ...sessionFacts(session)].filter((part) => part !== '').join(' · ')
}

/** Returns how often the same message occurs in its own and in other sessions; empty if only once. */
const repeatsText = (hit: SearchHit | undefined): readonly string[] => {
  if (hit?.alsoIn === undefined) return []
  const others = new Set(hit.alsoIn.map(({ sessionId }) => sessionId))
  const here = hit.alsoIn.filter(({ sessionId }) => sessionId === hit.sessionId).length
  others.delete(hit.sessionId)
  const parts = [
    ...(others.size > 0 ? [`also in ${others.size} other ${others.size === 1 ? 'session' : 'sessions'}`] : []),
    ...(here > 0 ? [`${here === 1 ? 'once' : `${here} times`} more in this one`] : []),
  ]
  return [parts.join(', ')]
}

/** Returns a result as lines: facts, snippet (or why there is none) and, if asked for, the explanation of its score. */
const foundLines = (
  found: Found,
  session: SessionSummary | undefined,
  marker: Marker,
  { by, explain }: Answer,
  paper: Paper,
): readonly string[] => {
  const { hit, score, hits, explanation } = found
  const snippet = neutraliseLine(snippetFor(hit?.text ?? '', marker).text)
  const without = hits === 0 ? 'found by its files, its branch or its title' : 'no message of it stands out'
  return [
    paper.style('dim', shortenEnd(factsLine(found, session, by), paper.width)),
    ...wrapAfter('  ', snippet === '' ? `(${without})` : snippet, paper.width).map((line) =>
      marker.mark(line, (word) => paper.style('bold', word)),
    ),
    ...repeatsText(hit).flatMap((text) => dim(text, '  ', paper)),
    ...(explain ? explanationText(score, explanation).flatMap((text) => dim(text, '  ', paper)) : []),
  ]
}

/**
 * Which words were corrected and which quoted words were not found, and an empty line; nothing if the query was used as
 * typed.
 */
const readingLines = (
  { corrections, notVerbatim }: Pick<Answer, 'corrections' | 'notVerbatim'>,
  { width }: Paper,
): readonly string[] => {
  const sentences = [
    ...corrections.map(({ word, instead }) => `no “${neutraliseLine(word)}”; showing “${neutraliseLine(instead)}”`),
    ...(notVerbatim.length === 0
      ? []
      : [
          `no message has ${notVerbatim.map((phrase) => `“${neutraliseLine(phrase)}”`).join(' together with ')} word for word; showing what comes near`,
        ]),
  ]
  return sentences.length === 0 ? [] : [...sentences.flatMap((sentence) => wrapLine(sentence, width)), '']
}

/** Returns how many results are shown; that nothing was found. */
const totalText = ({ found, by, knowledge: { memory, notes } }: Answer): string => {
  const parts = [
    ...(found.length > 0 ? [counted(found.length, by === 'session' ? 'session' : 'message')] : []),
    ...(memory.length > 0 ? [counted(memory.length, 'memory entry')] : []),
    ...(notes.length > 0 ? [counted(notes.length, 'note')] : []),
  ]
  return parts.length === 0 ? 'Nothing was found.' : `Total shown: ${parts.join(', ')}`
}

/**
 * Prints an answer as text, also with `--json`: the caller prints that. First come corrections of the query, then memory
 * and notes, then messages or sessions with a command that shows each, then the total. Messages and sessions keep the
 * answer's order. An answer without results has the corrections and the total alone.
 */
export const printAnswer = async (
  answer: Answer,
  options: CommonOptions,
  engine: Engine,
  context: Context,
): Promise<void> => {
  const { terminal, surroundings } = context
  const marker = createMarker(answer.query)
  for (const line of readingLines(answer, terminal)) await terminal.line(line)
  const known = knowledgeLines(answer.knowledge, marker, await currentProject(context), terminal)
  for (const line of known) await terminal.line(line)
  if (known.length > 0 && answer.found.length > 0)
    await terminal.line(terminal.style('bold', answer.by === 'session' ? 'Sessions' : 'Messages'))
  const sessions = new Map<string, SessionSummary | undefined>()
  for (const { sessionId } of answer.found)
    if (!sessions.has(sessionId)) sessions.set(sessionId, await engine.store.sessions.get(sessionId))
  const ids = await shownIds(
    [...sessions.values()].filter((session) => session !== undefined),
    engine.store.sessions,
  )
  for (const each of answer.found) {
    for (const line of foundLines(each, sessions.get(each.sessionId), marker, answer, terminal))
      await terminal.line(line)
    // Behind an equals sign `#` begins no comment in a shell.
    const message = each.hit === undefined || answer.by === 'session' ? '' : ` --message=#${each.hit.seq}`
    const command = shellCommand(
      `${programName(surroundings)} session show`,
      ids.get(each.sessionId) ?? each.sessionId,
      `${message}${storeOption(options, surroundings)}`,
    )
    for (const line of dim(command, '  ', terminal)) await terminal.line(line)
    await terminal.line()
  }
  await terminal.line(totalText(answer))
}
