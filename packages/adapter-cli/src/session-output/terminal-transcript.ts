/**
 * A session's log as lines for a terminal. Text is shown whole; tools and reasoning are folded to a line
 * unless everything is wanted; a subagent's messages are indented. Nothing of the content is obeyed.
 */
import { combinedCommands, messageOrigin, textOfBlock, textOfJson } from '@cairn/core'
import type { CombinedCommand, ContentBlock, JsonValue, LogEntry, MessageEntry } from '@cairn/core'
import { counted, formatBytes, formatClock, formatTime } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { shortenEnd } from '../terminal/text-width.ts'
import { wrapAfter } from '../terminal/wrap.ts'
import { markerText } from './markers.ts'

export interface TerminalTranscript {
  /** The lines of the log's next entry. A command has its output beneath it where `following` entries hold its result. */
  lines(entry: LogEntry, following?: readonly LogEntry[]): readonly string[]
}

const INDENT = '    '
/** Where the text of a message begins, below its head. */
const TEXT_INDENT = '  '

/** Renders entries in the order of the log; what a rewind took back is marked. */
export const createTerminalTranscript = (
  terminal: Pick<Terminal, 'style' | 'width'>,
  isFull: boolean,
  isTakenBack: (seq: number) => boolean = () => false,
): TerminalTranscript => {
  let lastSpeaker = ''
  let day = ''
  /** Calls whose results stand beneath them. */
  const answered = new Set<string>()

  const indentOf = (entry: LogEntry): string => (entry.kind === 'message' && entry.subagent !== undefined ? INDENT : '')

  const headLines = (entry: MessageEntry): readonly string[] => {
    // Sources write a line a block: what belongs to one reply stands under one head.
    const isGone = isTakenBack(entry.seq)
    const speaker = `${entry.responseId ?? entry.id} ${entry.role} ${entry.subagent ?? ''} ${isGone}`
    if (speaker === lastSpeaker) return []
    lastSpeaker = speaker
    const newDay = formatTime(entry.at).slice(0, 10)
    const lines: string[] = []
    if (entry.at !== null && newDay !== day) {
      day = newDay
      lines.push(terminal.style('dim', `── ${day} ──`))
    }
    const origin = messageOrigin(entry)
    const who = [
      entry.role,
      entry.author,
      entry.subagent === undefined ? undefined : `subagent ${entry.subagent}`,
      entry.model,
      origin === 'summary' ? 'summary' : origin === 'meta' ? 'by the program' : undefined,
      isGone ? 'undone' : undefined,
    ]
    const name = who.filter((part) => part !== undefined).map(neutraliseLine)
    const style =
      isGone || origin === 'meta'
        ? 'dim'
        : entry.role === 'user'
          ? 'green'
          : entry.role === 'assistant'
            ? 'cyan'
            : 'dim'
    const clock = `${formatClock(entry.at)} `
    const availableColumns = terminal.width - indentOf(entry).length - clock.length
    lines.push(
      `${indentOf(entry)}${terminal.style('dim', clock)}${terminal.style(style, shortenEnd(name.join(' · '), availableColumns))}`,
    )
    return lines
  }

  const fold = (indent: string, mark: string, text: string): string =>
    terminal.style('dim', shortenEnd(`${indent}${mark} ${neutraliseLine(text)}`, terminal.width))

  const whole = (indent: string, text: string): readonly string[] =>
    neutralise(text)
      .replace(/\n+$/, '')
      .split('\n')
      .flatMap((line) => wrapAfter(indent, line, terminal.width))

  const commandLines = ({ command, result }: CombinedCommand, indent: string): readonly string[] => {
    answered.add(result.callId)
    return [
      ...(isFull
        ? neutralise(command)
            .trimEnd()
            .split('\n')
            .flatMap((line, index) => wrapAfter(`${indent}${index === 0 ? '$' : ' '} `, line, terminal.width))
        : [fold(indent, '$', command)]),
      ...resultLines(result.content.map(textOfBlock).join('\n'), result.isError === true, `${indent}  `),
    ]
  }

  const blockLines = (
    block: ContentBlock,
    indent: string,
    commands: ReadonlyMap<string, CombinedCommand>,
  ): readonly string[] => {
    const command = block.type === 'tool_call' ? commands.get(block.id) : undefined
    if (command !== undefined) return commandLines(command, indent)
    if (block.type === 'tool_result' && answered.delete(block.callId)) return []
    switch (block.type) {
      case 'text':
        return block.text.trim() === '' ? [] : whole(indent, block.text)
      case 'thinking':
        if (block.text.trim() === '') return []
        return isFull
          ? [terminal.style('dim', `${indent}… thinking`), ...whole(`${indent}  `, block.text)]
          : [fold(indent, '…', block.text)]
      case 'tool_call':
        return isFull
          ? [
              terminal.style('dim', shortenEnd(`${indent}→ ${neutraliseLine(block.name)}`, terminal.width)),
              ...whole(`${indent}  `, fullInput(block.input)),
            ]
          : [fold(indent, '→', `${block.name} ${textOfJson(block.input)}`)]
      case 'tool_result':
        return resultLines(block.content.map(textOfBlock).join('\n'), block.isError === true, indent)
      case 'image':
        return [
          fold(
            indent,
            '▣',
            `image (${block.mediaType}${block.data === undefined ? '' : `, ${formatBytes(Math.floor(block.data.length * 0.75))}`})`,
          ),
        ]
      case 'file':
        return [fold(indent, '▤', `file ${block.path}`)]
      case 'other':
        return isFull
          ? whole(indent, JSON.stringify(block.value, undefined, 2))
          : [fold(indent, '·', textOfJson(block.value))]
    }
  }

  const resultLines = (text: string, isError: boolean, indent: string): readonly string[] => {
    const size = `${isError ? 'error, ' : ''}${counted(text === '' ? 0 : text.split('\n').length, 'line')}`
    return isFull
      ? [terminal.style('dim', `${indent}← ${size}`), ...(text === '' ? [] : whole(`${indent}  `, text))]
      : [fold(indent, '←', `${size}${text.trim() === '' ? '' : `: ${text.slice(0, 1000)}`}`)]
  }

  return {
    lines: (entry, following = []) => {
      if (entry.kind === 'message') {
        const indent = indentOf(entry) + TEXT_INDENT
        const hasCalls = entry.content.some(({ type }) => type === 'tool_call')
        const commands = combinedCommands(hasCalls ? [entry, ...following] : [])
        const content = entry.content.flatMap((block) => blockLines(block, indent, commands))
        return content.length === 0 ? [] : [...headLines(entry), ...content]
      }
      const text = markerText(entry)
      if (text === undefined) return []
      lastSpeaker = ''
      return [terminal.style('yellow', shortenEnd(`── ${text} ──`, terminal.width))]
    },
  }
}

const fullInput = (input: JsonValue): string =>
  typeof input === 'string' ? input : JSON.stringify(input, undefined, 2)
