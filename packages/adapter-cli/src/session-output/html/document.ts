/**
 * A session as one HTML file, which has no script and loads nothing; its content security policy forbids both. Written
 * in parts: only a page of the log and the next entries are in memory.
 */
import { createHash } from 'node:crypto'
import { messageOrigin } from '@cairn/core'
import type { Engine, LogEntry, MessageEntry, SessionSummary, ToolCallBlock, ToolResultBlock } from '@cairn/core'
import { callersOf } from '@cairn/core/conversation'
import { formatTime } from '../../terminal/format.ts'
import { eachEntry } from '../entries.ts'
import { createExportRedaction, type ExportRedaction } from '../redacted.ts'
import { escapeAttribute, escapeText } from './escape.ts'
import { createLookahead } from './lookahead.ts'
import { markerHtml } from './marker.ts'
import { contentHtml, headHtml, speakerOf, type MessageSurroundings } from './message.ts'
import { overviewHtml, overviewOf, type Overview } from './overview.ts'
import { STYLE } from './style.ts'

/** Entries ahead among which a call's result is looked for; calls of parallel subagents may come in between. */
const AHEAD = 60

/**
 * Yields a session as one self-contained HTML page, in parts to be written one after the other. Known kinds of secrets
 * are replaced. The log is read twice, so that only an overview is kept in memory. Rejects as the store does.
 */
export async function* htmlOf(given: SessionSummary, engine: Engine): AsyncGenerator<string> {
  const redaction = createExportRedaction()
  // Amounts are no text in which secrets could be.
  const { costNano, missingOutputCostNano, ...texts } = given
  const session = { ...redaction.value(texts), costNano, missingOutputCostNano }
  const entries = (counting: ExportRedaction): AsyncGenerator<LogEntry> =>
    redacted(eachEntry(given.id, engine), counting)
  const overview = await overviewOf(given, entries(createExportRedaction()), engine)
  yield headHtmlOf(session.title ?? session.externalId)
  yield `<header class="top">\n${overviewHtml(session, overview)}</header>\n<main>\n`
  yield* conversation(entries(redaction), overview, redaction, session.workspace)
  const replaced =
    redaction.count === 0
      ? ''
      : ` ${redaction.count} ${redaction.count === 1 ? 'secret was' : 'secrets were'} replaced in this export.`
  yield `</main>\n<footer><p>Exported by Cairn.${replaced} What left the model’s context is shown here in full.</p></footer>\n</body>\n</html>\n`
}

/** The entries without secrets. */
async function* redacted(entries: AsyncIterable<LogEntry>, redaction: ExportRedaction): AsyncGenerator<LogEntry> {
  for await (const entry of entries) yield redaction.value(entry)
}

/**
 * Returns the beginning of the document up to its body, with the title escaped. It allows no scripts and loads nothing.
 */
const headHtmlOf = (title: string): string => {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeAttribute(title)}</title>
<style>${STYLE}</style>
</head>
<body>
`
}

/** What the messages so far have left open. */
interface WriterState {
  /** Whose message the last one was; '': the next one is named in any case. */
  speaker: string
  /** The last day with a heading, `2026-01-31`; '' before the first. */
  day: string
  /** The subagent whose part is open; undefined: none is. */
  subagent: string | undefined
  /** The last model and mode that were named. */
  model: string
}

/**
 * Yields messages and markers in order, as HTML; a result stands with its call. The repeated change of a model is left
 * out.
 */
async function* conversation(
  entries: AsyncIterable<LogEntry>,
  overview: Overview,
  redaction: ExportRedaction,
  workspace: string | null,
): AsyncGenerator<string> {
  const state: WriterState = { speaker: '', day: '', subagent: undefined, model: '' }
  const ahead = createLookahead(entries, AHEAD)
  const around = surroundings(ahead, redaction, workspace)
  for (let entry = await ahead.next(); entry !== undefined; entry = await ahead.next()) {
    if (entry.kind !== 'message') {
      const html = repeatsModel(entry, state) ? '' : markerHtml(entry)
      if (html === '') continue
      yield `${closed(state)}${html}`
      state.speaker = ''
      continue
    }
    around.begin(entry)
    const content = contentHtml(entry, around)
    // A call's result may have been shown earlier, and has the anchor then.
    const id = around.isAnchored(entry.seq) ? '' : ` id="m${entry.seq}"`
    around.end(entry)
    if (content !== '') yield messageHtml(entry, id, content, state, overview)
  }
  yield closed(state)
}

/**
 * Whether an entry names the same model and mode as the last one, as some agents do at each turn; remembers what it
 * names.
 */
const repeatsModel = (entry: LogEntry, state: WriterState): boolean => {
  if (entry.kind !== 'model') return false
  const model = JSON.stringify([entry.model, entry.mode])
  const isSame = model === state.model
  state.model = model
  return isSame
}

/** Closes a subagent's part if one is open, in `state` as well, and returns the HTML of its end; otherwise empty. */
const closed = (state: WriterState): string => {
  if (state.subagent === undefined) return ''
  state.subagent = undefined
  state.speaker = ''
  return '</div></details>\n'
}

/**
 * Returns a message's HTML, after the end of a subagent's part that it is not of, and the beginning of a day or of its
 * own subagent's part, which stays open: see `closed`. To be called once a message, in order, as it updates `state`. A
 * message of the last speaker, or of results alone, has only its time as a heading. `id`: '' or the whole attribute,
 * ` id="m12"`; `content`: HTML.
 */
const messageHtml = (
  entry: MessageEntry,
  id: string,
  content: string,
  state: WriterState,
  { live, subagents }: Overview,
): string => {
  let html = ''
  if (entry.subagent !== state.subagent) {
    html += closed(state)
    if (entry.subagent !== undefined) {
      state.subagent = entry.subagent
      html += `<details class="sub"><summary>Subagent <code>${escapeText(entry.subagent)}</code>, ${subagents.get(entry.subagent) ?? 0} messages</summary><div>\n`
    }
    state.speaker = ''
  }
  const day = entry.at === null ? state.day : formatTime(entry.at).slice(0, 10)
  if (day !== state.day && entry.subagent === undefined) {
    state.day = day
    state.speaker = ''
    html += `<h2 class="day">${day}</h2>\n`
  }
  const isGone = !live.has(entry.seq)
  const speaker = `${speakerOf(entry)} ${isGone}`
  const isSame = speaker === state.speaker || (isResults(entry) && state.speaker !== '')
  if (!isSame) state.speaker = speaker
  const role = isResults(entry) ? 'tool' : entry.role
  return `${html}<article class="${role}${isSame ? ' same' : ''}${isGone ? ' gone' : ''}${messageOrigin(entry) === undefined ? '' : ' made'}"${id}>\n${headHtml(entry, isGone, isSame)}${content}</article>\n`
}

/** Whether a message has only tool results, so that the agent is still the speaker. */
const isResults = ({ content }: MessageEntry): boolean =>
  content.length > 0 && content.every(({ type }) => type === 'tool_result')

/** Calls that are remembered until their result comes. */
const WAITING = 2000

/** What other entries tell about a message's blocks, while messages are written one after the other. */
interface Surroundings extends MessageSurroundings {
  /** A message is about to be written: looks for the results of its calls. */
  begin(entry: MessageEntry): void
  /** It is written: forgets what was noted of its results, so ask `isAnchored` before. */
  end(entry: MessageEntry): void
  /** Whether a call above has this message's anchor, because its result is shown there. */
  isAnchored(seq: number): boolean
}

/**
 * Returns the state that finds results of calls among the following entries; `begin` and `end` are called around each
 * message. A result is shown once.
 */
const surroundings = (
  ahead: { readonly waiting: readonly LogEntry[] },
  redaction: ExportRedaction,
  workspace: string | null,
): Surroundings => {
  const shown = new Set<ToolResultBlock>()
  /** Names of tools by the ids of their calls, for results that come late. */
  const tools = new Map<string, string>()
  const anchored = new Set<number>()
  let results: Results = new Map()
  return {
    begin: (entry) => {
      results = resultsAmong(entry, ahead.waiting, shown)
      for (const block of entry.content) if (block.type === 'tool_call') tools.set(block.id, block.name)
      while (tools.size > WAITING) tools.delete(tools.keys().next().value ?? '')
    },
    end: (entry) => {
      for (const block of entry.content) if (block.type === 'tool_result') shown.delete(block)
      anchored.delete(entry.seq)
    },
    resultOf: (call) => {
      const found = results.get(call)
      if (found === undefined) return undefined
      shown.add(found.result)
      const isOnly = isResults(found.entry) && !anchored.has(found.entry.seq)
      if (isOnly) anchored.add(found.entry.seq)
      return { result: found.result, anchor: isOnly ? `m${found.entry.seq}` : undefined }
    },
    isAnchored: (seq) => anchored.has(seq),
    isShown: (result) => shown.has(result),
    toolOf: (result) => tools.get(result.callId),
    redactText: (text) => redaction.text(text),
    workspace,
  }
}

type Results = ReadonlyMap<ToolCallBlock, { readonly entry: MessageEntry; readonly result: ToolResultBlock }>

/**
 * Returns the results of a message's calls among the entries after it, of each the first; those in `shown` are of other
 * calls. Only of entries of the same speaker's conversation: main or subagent.
 */
const resultsAmong = (
  entry: MessageEntry,
  following: readonly LogEntry[],
  shown: ReadonlySet<ToolResultBlock>,
): Results => {
  const found = new Map<ToolCallBlock, { readonly entry: MessageEntry; readonly result: ToolResultBlock }>()
  if (!entry.content.some(({ type }) => type === 'tool_call')) return found
  const unshown = [entry, ...following].flatMap((each): readonly MessageEntry[] => {
    if (each.kind !== 'message' || each.subagent !== entry.subagent) return []
    return [{ ...each, content: each.content.filter((block) => block.type !== 'tool_result' || !shown.has(block)) }]
  })
  const callers = callersOf(unshown)
  for (const message of unshown)
    for (const block of message.content) {
      const caller = block.type === 'tool_result' ? callers.get(block) : undefined
      if (block.type === 'tool_result' && caller?.seq === entry.seq && !found.has(caller.call))
        found.set(caller.call, { entry: message, result: block })
    }
  return found
}
