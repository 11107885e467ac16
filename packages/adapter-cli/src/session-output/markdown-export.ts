/**
 * A session as Markdown: messages as they were written, without anything that could run or load; tools in fenced blocks
 * that their content can't close.
 */
import { textOfBlock, textOfJson } from '@cairn/core'
import type { ContentBlock, Engine, LogEntry, MessageEntry, SessionSummary } from '@cairn/core'
import { formatTime } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import { eachEntry } from './entries.ts'
import { sessionFacts } from './facts.ts'
import { markerText } from './markers.ts'
import { fenced, safeMarkdown } from './safe-markdown.ts'
import { createExportRedaction, type ExportRedaction } from './redacted.ts'
import { withoutAnsi } from './html/ansi.ts'

/** A text on one line in which nothing is markup. */
const plain = (text: string): string => neutraliseLine(text).replace(/[\\`*_{}[\]<>#|]/g, '\\$&')

/**
 * Returns a block as Markdown, without secrets; images and files are only named. A call's input is JSON; an error's
 * result says so.
 */
const blockText = (block: ContentBlock, redaction: ExportRedaction): string => {
  const own = (text: string): string => ownText(text, redaction)
  switch (block.type) {
    case 'text':
      return safeMarkdown(own(block.text)).trimEnd()
    case 'thinking':
      return `*Reasoning*\n\n${fenced(own(block.text))}`
    case 'tool_call':
      return `**→ ${plain(block.name)}**\n\n${fenced(neutralise(typeof block.input === 'string' ? block.input : JSON.stringify(block.input, undefined, 2)))}`
    case 'tool_result':
      return `**←${block.isError === true ? ' error' : ''}**\n\n${fenced(own(block.content.map(textOfBlock).join('\n')))}`
    case 'image':
      return `*Image (${plain(block.mediaType)})*`
    case 'file':
      return `*File ${plain(block.path)}*`
    case 'other':
      return fenced(neutralise(textOfJson(block.value)))
  }
}

/**
 * A text without a terminal's colours. They could have split a secret, so secrets are looked for again without them.
 */
const ownText = (text: string, redaction: ExportRedaction): string => {
  const plain = withoutAnsi(text)
  return neutralise(plain === text ? text : redaction.text(plain)).toWellFormed()
}

/** Returns the heading of a message, as far as known: `## role · author · subagent <id> · model (time)`. */
const headOf = (entry: MessageEntry): string => {
  const who = [
    entry.role,
    entry.author,
    entry.subagent === undefined ? undefined : `subagent ${entry.subagent}`,
    entry.model,
  ]
  return `## ${who
    .filter((part) => part !== undefined)
    .map(plain)
    .join(' · ')}${entry.at === null ? '' : ` (${formatTime(entry.at)})`}`
}

/**
 * Yields a session as a Markdown document, in parts to be written one after the other. Known kinds of secrets are
 * replaced. Rejects as the store does. Messages of one speaker in a row share a heading.
 */
export async function* markdownOf(session: SessionSummary, engine: Engine): AsyncGenerator<string> {
  const redaction = createExportRedaction()
  yield `# ${plain(redaction.text(session.title ?? session.externalId))}\n\n`
  for (const [name, text] of await sessionFacts(session, engine)) yield `- ${name}: ${plain(redaction.text(text))}\n`
  let lastSpeaker = ''
  for await (const stored of eachEntry(session.id, engine)) {
    const entry = redaction.value(stored)
    const text = textOf(entry, redaction)
    if (text === '') continue
    if (entry.kind === 'message') {
      const speaker = `${entry.responseId ?? entry.id} ${entry.role} ${entry.subagent ?? ''}`
      if (speaker !== lastSpeaker) yield `\n${headOf(entry)}\n`
      lastSpeaker = speaker
    } else lastSpeaker = ''
    yield `\n${text}\n`
  }
}

/** Returns an entry as Markdown; empty for entries that only programs need. */
const textOf = (entry: LogEntry, redaction: ExportRedaction): string => {
  if (entry.kind === 'message')
    return entry.content
      .map((block) => blockText(block, redaction))
      .filter((text) => text !== '')
      .join('\n\n')
  const marker = markerText(entry)
  return marker === undefined ? '' : `*${plain(marker)}*`
}
