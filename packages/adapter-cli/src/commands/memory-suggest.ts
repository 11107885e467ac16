/** `cairn memory suggest`: what the last sessions have in common, to be remembered or not. */
import type { Engine, Suggestion, SuggestionQuery, SuggestionReport } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { projectName, projectOf } from '../options/project-option.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { formatDay, shortId } from '../output/memory-output.ts'
import { shownIds } from '../output/session-ids.ts'
import { checkedOutBranch } from '../runtime/head-commit.ts'
import { counted, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'

export interface SuggestOptions extends CommonOptions {
  readonly accept?: readonly string[]
  readonly dismiss?: readonly string[]
  readonly branch?: string
}

/** Sessions that are named as evidence. */
const EVIDENCE_SHOWN = 3

/**
 * Lists suggestions: the fields of `SuggestionReport` as JSON. With `--accept` or `--dismiss` decides about them instead:
 * `{workspace, accepted: [{id, entry, outcome}], dismissed: [id]}`; one that is not offered stops the command before
 * anything is written.
 */
export const runSuggest = async (options: SuggestOptions, context: Context): Promise<void> => {
  const { accept = [], dismiss = [] } = options
  const isDeciding = accept.length + dismiss.length > 0
  const engine = await (isDeciding ? context.engine(options) : context.readEngine(options))
  const workspace = await projectOf(options, engine, context)
  const branch = options.branch ?? (await checkedOutBranch(workspace))
  const query: SuggestionQuery = branch === undefined ? {} : { branch }
  if (!isDeciding) {
    const report = await engine.suggestions.list(workspace, query)
    return options.json === true ? context.json(report) : printReport(report, engine, context)
  }
  const accepted = []
  for (const id of accept) accepted.push({ id, ...(await asUsage(engine.suggestions.accept(workspace, id, query))) })
  const dismissed: Suggestion[] = []
  for (const id of dismiss) dismissed.push(await asUsage(engine.suggestions.dismiss(workspace, id, query)))
  if (options.json === true) return context.json({ workspace, accepted, dismissed: dismissed.map(({ id }) => id) })
  const { terminal } = context
  for (const { entry } of accepted)
    for (const line of wrapAfter('Remembered ', `${shortId(entry.id)}: ${neutraliseLine(entry.text)}`, terminal.width))
      await terminal.line(line)
  for (const { text } of dismissed)
    for (const line of wrapAfter('Dismissed: ', neutraliseLine(text), terminal.width)) await terminal.line(line)
}

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
