/** Asks the user about a call that needs approval: shows what it is and what it would change, then reads an answer. */
import type { ApprovalAnswer, ApprovalRequest, Approver } from '@cairn/core/agent'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'
import { diffLines } from './render/diff-lines.ts'

/** Lines of a diff that are shown with the question. */
const DIFF_LINES = 60
/** Lines of a command that are shown with the question. */
const COMMAND_LINES = 20

const QUESTION = 'Allow it? y yes, a always in this session, n no (n and why, for the model): '
const AGAIN = 'Answer y, a, or n: '

/**
 * Parses an answer: `y(es)`, `a(lways)`, or `n(o)` followed by a text for the model; undefined for anything else, which
 * means asking again. Case and signs behind the word do not count; a text behind yes or always is none of these.
 */
export const approvalAnswer = (text: string): ApprovalAnswer | undefined => {
  const [, word = '', rest = ''] = /^\s*(\p{L}+)\b[\s,:.;-]*([^]*)$/u.exec(text) ?? []
  const feedback = rest.trim()
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return feedback === '' ? { decision: 'allow' } : undefined
    case 'a':
    case 'always':
      return feedback === '' ? { decision: 'always' } : undefined
    case 'n':
    case 'no':
      return feedback === '' ? { decision: 'deny' } : { decision: 'deny', feedback }
    default:
      return undefined
  }
}

type Page = Pick<Terminal, 'style' | 'width'>

/**
 * Describes the call, in lines of at most the page's width: its title, why approval is needed, what it reaches, its
 * command unless the title has it, and its diff; long texts are cut, unsafe characters replaced. `isPlain` uses words
 * instead of symbols.
 */
export const approvalLines = ({ call, why }: ApprovalRequest, page: Page, isPlain: boolean): readonly string[] => {
  const { style, width } = page
  const title = wrapAfter(isPlain ? '' : '? ', neutraliseLine(call.title), width)
  const command = call.command === undefined ? [] : neutralise(call.command).trimEnd().split('\n')
  const shownCommand = command.length < 2 && call.title.includes(call.command ?? '') ? [] : command
  const rest = shownCommand.length - COMMAND_LINES
  return [
    ...title.map((line) => style('bold', line)),
    ...wrapAfter('  ', neutraliseLine(why), width),
    ...(call.reaches === undefined || call.reaches === why
      ? []
      : wrapAfter('  ', neutraliseLine(call.reaches), width).map((line) => style('yellow', line))),
    ...shownCommand
      .slice(0, COMMAND_LINES)
      .flatMap((line, index) => wrapAfter(index === 0 ? '  $ ' : '    ', line, width)),
    ...(rest > 0 ? [`    ${rest} more lines of the command`] : []),
    ...(call.diff === undefined ? [] : diffLines(call.diff, page, { most: DIFF_LINES, isPlain })),
  ]
}

/** Where approvals are asked for. */
export interface ApprovalDesk {
  readonly terminal: Pick<Terminal, 'style' | 'width' | 'line'>
  readonly isPlain: boolean
  /** Asks on a line of its own; undefined when the signal is aborted or the input has ended. What was typed before is no answer. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string | undefined>
}

/**
 * Creates the function that shows a call and asks until there is a valid answer. A question that is interrupted, or
 * that can't be asked, counts as no.
 */
export const createApprover =
  ({ terminal, isPlain, ask }: ApprovalDesk): Approver =>
  async (request, signal) => {
    for (const line of approvalLines(request, terminal, isPlain)) await terminal.line(line)
    for (let question = QUESTION; ; question = AGAIN) {
      const shown = wrapLine(question, terminal.width).join('\n')
      const text = await ask(`${shown.trimEnd()} `, signal)
      if (text === undefined) return { decision: 'deny' }
      const answer = approvalAnswer(text)
      if (answer !== undefined) return answer
    }
  }
