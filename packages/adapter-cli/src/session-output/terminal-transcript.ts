/**
 * A session's log as lines for a terminal. Text is shown in full, tools and reasoning on a line each unless `isFull`,
 * messages of subagents indented. Control sequences in the content are shown, not executed.
 */
import { combinedCommands, messageOrigin, textOfBlock, textOfJson } from '@cairn/core'
import type {
  CombinedCommand,
  ContentBlock,
  ImageBlock,
  JsonValue,
  LogEntry,
  MessageEntry,
  ToolCallBlock,
  ToolResultBlock,
} from '@cairn/core'
import { counted, formatBytes, formatClock, formatTime } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { shortenEnd } from '../terminal/text-width.ts'
import { wrapAfter } from '../terminal/wrap.ts'
import { markerText } from './markers.ts'

/** Renders a session's entries one after the other. */
export interface TerminalTranscript {
  /**
   * The lines of the log's next entry. A command's output is shown beneath it if its result is among the `following`
   * entries.
   */
  lines(entry: LogEntry, following?: readonly LogEntry[]): readonly string[]
}

const INDENT = '    '
/** The indentation of a message's text below its heading. */
const TEXT_INDENT = '  '

/** How lines are drawn: on which terminal, and whether tools and reasoning are shown in full. */
interface Page {
  readonly terminal: Pick<Terminal, 'style' | 'width'>
  readonly isFull: boolean
}

/**
 * Renders entries in the order of the log, as lines safe to print; a speaker who goes on has no new head, and a new day
 * has a line. What a rewind took back is marked. No lines for what only programs need. `isFull`: nothing is cut.
 * @param tokensAfter what compactions left of the context, by their entries
 */
export const createTerminalTranscript = (
  terminal: Pick<Terminal, 'style' | 'width'>,
  isFull: boolean,
  isTakenBack: (seq: number) => boolean = () => false,
  tokensAfter: ReadonlyMap<number, number> = new Map(),
): TerminalTranscript => {
  const page: Page = { terminal, isFull }
  let lastSpeaker = ''
  let day = ''
  /** Calls whose results were shown beneath them. */
  const answered = new Set<ToolResultBlock>()

  /**
   * The line above a message, and its day where that is another than before; none where the same speaker goes on.
   * Remembers both for the next call.
   */
  const headLines = (entry: MessageEntry): readonly string[] => {
    const isGone = isTakenBack(entry.seq)
    // Some agents record a line for each block: what belongs to one reply stands under one head.
    const speaker = `${entry.responseId ?? entry.id} ${entry.role} ${entry.subagent ?? ''} ${isGone}`
    if (speaker === lastSpeaker) return []
    lastSpeaker = speaker
    const head = headLine(entry, isGone, terminal)
    const newDay = formatTime(entry.at).slice(0, 10)
    if (entry.at === null || newDay === day) return [head]
    day = newDay
    return [terminal.style('dim', `── ${day} ──`), head]
  }

  /** A message's lines under its head; none for one of which nothing is shown, as its results were shown above. */
  const messageLines = (entry: MessageEntry, following: readonly LogEntry[]): readonly string[] => {
    const indent = indentOf(entry) + TEXT_INDENT
    const hasCalls = entry.content.some(({ type }) => type === 'tool_call')
    const commands = combinedCommands(hasCalls ? [entry, ...following] : [])
    const content = entry.content.flatMap((block) => {
      const command = block.type === 'tool_call' ? commands.get(block) : undefined
      if (command !== undefined) {
        answered.add(command.result)
        return commandLines(command, indent, page)
      }
      return block.type === 'tool_result' && answered.delete(block) ? [] : blockLines(block, indent, page)
    })
    return content.length === 0 ? [] : [...headLines(entry), ...content]
  }

  return {
    lines: (entry, following = []) => {
      if (entry.kind === 'message') return messageLines(entry, following)
      const text = markerText(entry, tokensAfter.get(entry.seq))
      if (text === undefined) return []
      lastSpeaker = ''
      return [terminal.style('yellow', shortenEnd(`── ${text} ──`, terminal.width))]
    },
  }
}

/** The indentation of a message; only subagents have one. */
const indentOf = ({ subagent }: MessageEntry): string => (subagent === undefined ? '' : INDENT)

const ORIGINS = { summary: 'summary', meta: 'by the program' } as const
const ROLE_STYLES = { user: 'green', assistant: 'cyan', system: 'dim', tool: 'dim' } as const

/**
 * Returns time, role and whatever else identifies the speaker, in the colour of the role, cut to the width. `isGone`:
 * it is marked as undone.
 */
const headLine = (entry: MessageEntry, isGone: boolean, { style, width }: Page['terminal']): string => {
  const origin = messageOrigin(entry)
  const who = [
    entry.role,
    entry.author,
    entry.subagent === undefined ? undefined : `subagent ${entry.subagent}`,
    entry.model,
    origin === undefined ? undefined : ORIGINS[origin],
    isGone ? 'undone' : undefined,
  ]
  const name = who.filter((part) => part !== undefined).map(neutraliseLine)
  const nameStyle = isGone || origin === 'meta' ? 'dim' : ROLE_STYLES[entry.role]
  const clock = `${formatClock(entry.at)} `
  const indent = indentOf(entry)
  const availableColumns = width - indent.length - clock.length
  return `${indent}${style('dim', clock)}${style(nameStyle, shortenEnd(name.join(' · '), availableColumns))}`
}

/** A text as one dim line, cut at the terminal's width. */
const foldedLine = (indent: string, mark: string, text: string, { terminal }: Page): string =>
  terminal.style('dim', shortenEnd(`${indent}${mark} ${neutraliseLine(text)}`, terminal.width))

/** Returns all lines of a text, wrapped. */
const wholeText = (indent: string, text: string, { terminal }: Page): readonly string[] =>
  neutralise(text)
    .replace(/\n+$/, '')
    .split('\n')
    .flatMap((line) => wrapAfter(indent, line, terminal.width))

/** Returns a shell command with its output below it; in full, or each on one line. */
const commandLines = ({ command, result }: CombinedCommand, indent: string, page: Page): readonly string[] => [
  ...(page.isFull
    ? neutralise(command)
        .trimEnd()
        .split('\n')
        .flatMap((line, index) => wrapAfter(`${indent}${index === 0 ? '$' : ' '} `, line, page.terminal.width))
    : [foldedLine(indent, '$', command, page)]),
  ...resultLines(result, `${indent}  `, page),
]

/** Returns a block as lines: a text whole, anything else on one line unless the page is full; none for a blank text. */
const blockLines = (block: ContentBlock, indent: string, page: Page): readonly string[] => {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : wholeText(indent, block.text, page)
    case 'thinking':
      return thinkingLines(block.text, indent, page)
    case 'tool_call':
      return callLines(block, indent, page)
    case 'tool_result':
      return resultLines(block, indent, page)
    case 'image':
      return [foldedLine(indent, '▣', imageText(block), page)]
    case 'file':
      return [foldedLine(indent, '▤', `file ${block.path}`, page)]
    case 'other':
      return page.isFull
        ? wholeText(indent, JSON.stringify(block.value, undefined, 2), page)
        : [foldedLine(indent, '·', textOfJson(block.value), page)]
  }
}

/** Reasoning: in full, or its beginning on one line; no line for a blank text. */
const thinkingLines = (text: string, indent: string, page: Page): readonly string[] => {
  if (text.trim() === '') return []
  return page.isFull
    ? [page.terminal.style('dim', `${indent}… thinking`), ...wholeText(`${indent}  `, text, page)]
    : [foldedLine(indent, '…', text, page)]
}

/** Returns a tool call: name and arguments in full, or on one line. */
const callLines = ({ name, input }: ToolCallBlock, indent: string, page: Page): readonly string[] =>
  page.isFull
    ? [
        page.terminal.style('dim', shortenEnd(`${indent}→ ${neutraliseLine(name)}`, page.terminal.width)),
        ...wholeText(`${indent}  `, fullInput(input), page),
      ]
    : [foldedLine(indent, '→', `${name} ${textOfJson(input)}`, page)]

/** Base64 has four characters for three bytes. */
const BYTES_PER_CHARACTER = 0.75

/** An image's type and size. */
const imageText = ({ mediaType, data }: ImageBlock): string =>
  `image (${mediaType}${data === undefined ? '' : `, ${formatBytes(Math.floor(data.length * BYTES_PER_CHARACTER))}`})`

/** Returns a result: in full, or its size and beginning on one line. On one line cut to the width. */
const resultLines = (
  { content, isError }: Pick<ToolResultBlock, 'content' | 'isError'>,
  indent: string,
  page: Page,
): readonly string[] => {
  const text = content.map(textOfBlock).join('\n')
  const size = `${isError === true ? 'error, ' : ''}${counted(text === '' ? 0 : text.split('\n').length, 'line')}`
  return page.isFull
    ? [page.terminal.style('dim', `${indent}← ${size}`), ...(text === '' ? [] : wholeText(`${indent}  `, text, page))]
    : [foldedLine(indent, '←', `${size}${text.trim() === '' ? '' : `: ${text.slice(0, 1000)}`}`, page)]
}

/** A call's arguments in full. */
const fullInput = (input: JsonValue): string =>
  typeof input === 'string' ? input : JSON.stringify(input, undefined, 2)
