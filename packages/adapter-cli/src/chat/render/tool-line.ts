/** A tool call and its result on one line. */
import { textOfBlock } from '@cairn/core'
import type { ToolOutcome } from '@cairn/core/agent'
import { failedCommand } from '../../output/failed-command.ts'
import { counted, formatDuration } from '../../terminal/format.ts'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import { shortenEnd, shortenMiddle, textWidth } from '../../terminal/text-width.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapAfter, wrapLine } from '../../terminal/wrap.ts'

/** A tool call with its result. */
export interface FinishedCall {
  readonly title: string
  readonly outcome: ToolOutcome
  readonly durationMs: number
  /** Rules files that the model was given with the result. */
  readonly rules?: readonly string[]
}

/** The duration from which on it is shown. */
const TOLD_FROM_MS = 1_000
/** Characters of a result that are examined for its line. */
const TEXT_READ = 1_000
/** Columns that a title keeps beside the start of an error. */
const LEAST_FOR_TITLE = 16
const MOST_LINES_BELOW = 6

/**
 * Returns the lines of a finished call, cut or wrapped to the width: `✓ read src/a.ts · 120 lines`, or `✗ edit src/a.ts ·
 * The text is not in the file.`; a command that failed has `✗` and its exit code. Where that is too long for one line,
 * the reason of a failure and delivered rules files get lines of their own. `isPlain`, for screen readers: sentences
 * without signs and colours, such as `Done: read src/a.ts. 120 lines.`
 */
export const toolLines = (
  { title, outcome, durationMs, rules = [] }: FinishedCall,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
  isPlain: boolean,
): readonly string[] => {
  const exit = failedCommand(outcome)
  const isError = outcome.isError === true
  const isFailure = isError || exit !== undefined
  const duration = durationMs < TOLD_FROM_MS ? [] : [formatDuration(durationMs)]
  const name = neutraliseLine(title)
  const told = rules.length === 0 ? [] : [`rules of ${rules.map(neutraliseLine).join(', ')}`]
  const reason = isError ? [firstLine(outcome)] : []
  const facts = [...(exit === undefined ? [] : [exit]), ...(isError ? [] : [resultText(outcome)])]
  if (isPlain) {
    const result = [...facts, ...reason, ...duration, ...told].join(', ')
    return wrapLine(`${isFailure ? 'Failed' : 'Done'}: ${name}. ${sentence(result)}`, width)
  }
  const sign = isFailure ? style('red', '✗') : style('green', '✓')
  const line = (parts: readonly string[]): string => {
    const tail = parts.map((part) => ` · ${part}`).join('')
    const available = width - 2
    const shownTail = shortenEnd(tail, Math.max(available - textWidth(name), available - LEAST_FOR_TITLE))
    return `${sign} ${shortenMiddle(name, available - textWidth(shownTail))}${style('dim', shownTail)}`
  }
  const whole = [...facts, ...reason, ...duration, ...told]
  const below = [...reason, ...told]
  if (below.length === 0 || textWidth([name, ...whole].join(' · ')) <= width - 2) return [line(whole)]
  const more = below.flatMap((text) => wrapAfter('  ', text, width)).slice(0, MOST_LINES_BELOW)
  return [line([...facts, ...duration]), ...more.map((text) => style('dim', text))]
}

/** The text with a full stop, unless it ends a sentence already. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** All of a result's text. */
const textOf = ({ content }: ToolOutcome): string => content.map(textOfBlock).join('\n')

/** Returns a successful result in few words: files changed, else its lines, else "done". */
const resultText = (outcome: ToolOutcome): string => {
  const { changed = [] } = outcome
  if (changed.length > 0) return counted(changed.length, 'file') + ' changed'
  const text = textOf(outcome).trimEnd()
  return text === '' ? 'done' : counted(text.split('\n').length, 'line')
}

/** Returns the first line of an error, as far as it was read; "failed" if there is none. */
const firstLine = (outcome: ToolOutcome): string => {
  const text = neutraliseLine(textOf(outcome).slice(0, TEXT_READ).trim().split('\n')[0] ?? '')
  return text === '' ? 'failed' : text
}
