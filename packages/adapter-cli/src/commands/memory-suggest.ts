/** `cairn memory suggest`: suggests what the last sessions have in common as memory entries. */
import { CairnError } from '@cairn/core'
import type { Engine, Suggestion, SuggestionQuery, SuggestionReport } from '@cairn/core'
import { checkedOutBranch } from '@cairn/core/node'
import type { CommonOptions, Context } from '../command.ts'
import { projectName, projectOf } from '../options/project-option.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { formatDay, shortId } from '../output/memory-output.ts'
import { shownIds } from '../output/session-ids.ts'
import { counted, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'

/** The options of `memory suggest`. */
export interface SuggestOptions extends CommonOptions {
  readonly accept?: readonly string[]
  readonly dismiss?: readonly string[]
  readonly branch?: string
}

/** Sessions that are named as evidence. */
const EVIDENCE_SHOWN = 3

/**
 * Lists suggestions: the fields of `SuggestionReport` as JSON. With `--accept` (adds it to the memory) or `--dismiss`
 * (it is never offered again) it decides about them instead: `{workspace, accepted: [{id, entry, outcome}], dismissed:
 * [id]}`. If one is not offered, it rejects before anything is written.
 */
export const runSuggest = async (options: SuggestOptions, context: Context): Promise<void> => {
  const isDeciding = [options.accept, options.dismiss].some((ids) => ids !== undefined && ids.length > 0)
  const engine = await (isDeciding ? context.engine(options) : context.readEngine(options))
  const workspace = await projectOf(options, engine, context)
  const branch = options.branch ?? (await checkedOutBranch(workspace))
  const query: SuggestionQuery = branch === undefined ? {} : { branch }
  if (!isDeciding) {
    const report = await engine.suggestions.list(workspace, query)
    return options.json === true ? context.json(report) : printReport(report, engine, context)
  }
  const { accepted, dismissed } = await decide(options, query, workspace, engine)
  if (options.json === true) return context.json({ workspace, accepted, dismissed: dismissed.map(({ id }) => id) })
  const { terminal } = context
  for (const { entry } of accepted)
    for (const line of wrapAfter('Remembered ', `${shortId(entry.id)}: ${neutraliseLine(entry.text)}`, terminal.width))
      await terminal.line(line)
  for (const { text } of dismissed)
    for (const line of wrapAfter('Dismissed: ', neutraliseLine(text), terminal.width)) await terminal.line(line)
}

/**
 * Accepts and dismisses what the options name, after all were found. Rejects with `not-found` or `ambiguous`, or with
 * `usage` for one that is named for both; nothing is then changed.
 */
const decide = async (
  { accept = [], dismiss = [] }: SuggestOptions,
  query: SuggestionQuery,
  workspace: string,
  engine: Engine,
) => {
  const find = (id: string) => asUsage(engine.suggestions.find(workspace, id, query))
  const toAccept = await findAll(accept, find)
  const toDismiss = await findAll(dismiss, find)
  const both = toAccept.find(({ suggestion }) => toDismiss.some((other) => other.suggestion.id === suggestion.id))
  if (both !== undefined)
    throw new CairnError(
      'usage',
      `${both.suggestion.id} can't be both accepted and dismissed; give it once. Nothing was changed.`,
    )
  const accepted = []
  for (const { given, suggestion } of toAccept)
    accepted.push({ id: given, ...(await engine.suggestions.accept(workspace, suggestion.id, query)) })
  const dismissed: Suggestion[] = []
  for (const { suggestion } of toDismiss)
    dismissed.push(await engine.suggestions.dismiss(workspace, suggestion.id, query))
  return { accepted, dismissed }
}

/** A suggestion that was named. */
interface Found {
  /** The id as it was given. */
  readonly given: string
  readonly suggestion: Suggestion
}

/**
 * Returns the suggestions that the ids name, each with the id as it was given, in the ids' order; one that is named
 * twice only the first time. Rejects as `find` does.
 */
const findAll = async (
  ids: readonly string[],
  find: (id: string) => Promise<Suggestion>,
): Promise<readonly Found[]> => {
  const found = new Map<string, Found>()
  for (const given of ids) {
    const suggestion = await find(given)
    if (!found.has(suggestion.id)) found.set(suggestion.id, { given, suggestion })
  }
  return [...found.values()]
}

/**
 * Prints the suggestions with their evidence, the files that could not be read, how to decide on one, and the totals.
 */
const printReport = async (report: SuggestionReport, engine: Engine, context: Context): Promise<void> => {
  const { terminal } = context
  const named = report.suggestions.flatMap(({ evidence }) =>
    evidence.slice(0, EVIDENCE_SHOWN).map(({ sessionId, externalId }) => ({ id: sessionId, externalId })),
  )
  const distinct = [...new Map(named.map((session) => [session.id, session])).values()]
  const ids = await shownIds(distinct, engine.store.sessions)
  for (const suggestion of report.suggestions) await printSuggestion(suggestion, ids, context)
  for (const path of report.unread)
    for (const line of wrapLine(`Not read, so what it says may be offered: ${neutraliseLine(path)}`, terminal.width))
      await terminal.line(terminal.style('yellow', line))
  const [first] = report.suggestions
  if (first !== undefined)
    await terminal.line(`Take one in: cairn memory suggest --accept ${first.id}; --dismiss: never again`)
  const name = neutraliseLine(projectName(report.workspace))
  const left = [
    ...(report.known === 0 ? [] : [`${formatWhole(report.known)} known already`]),
    ...(report.decided === 0 ? [] : [`${formatWhole(report.decided)} decided before`]),
  ]
  const total = `Total: ${counted(report.suggestions.length, 'suggestion')} from the last ${counted(report.sessions, 'session')} of ${name}`
  for (const line of wrapLine([total, ...left].join('; '), terminal.width)) await terminal.line(line)
}

/** Prints one suggestion, with some of its sessions. At most `EVIDENCE_SHOWN` of them. */
const printSuggestion = async (
  { id, kind, text, sessions, of, evidence }: Suggestion,
  ids: ReadonlyMap<string, string>,
  { terminal }: Context,
): Promise<void> => {
  const [first = '', ...rest] = wrapAfter(`${id}  `, neutraliseLine(text), terminal.width)
  await terminal.line(terminal.style('bold', first))
  for (const line of rest) await terminal.line(terminal.style('bold', line))
  const seen = evidence
    .slice(0, EVIDENCE_SHOWN)
    .map(({ sessionId, at }) => `${ids.get(sessionId) ?? sessionId} (${formatDay(at)})`)
  const more = evidence.length - seen.length
  const facts = `as ${kind}; seen in ${formatWhole(sessions)} of ${counted(of, 'session')}: ${neutraliseLine(seen.join(', '))}${more > 0 ? `, and ${formatWhole(more)} more` : ''}`
  for (const line of wrapAfter('  ', facts, terminal.width)) await terminal.line(terminal.style('dim', line))
  await terminal.line()
}
