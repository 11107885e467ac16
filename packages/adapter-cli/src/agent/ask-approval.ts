/** Asks on a terminal whether a call may run. */
import type { ApprovalAnswer, ApprovalRequest, Approver } from '@cairn/core/agent'
import type { Cancel } from '../runtime/cancel-on-signal.ts'
import { Interrupted } from '../runtime/failure.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { noteDiff, type RunView } from './run-view.ts'

const QUESTION = 'Do it? y(es), a(lways), n(o), or say what to do instead:'

/**
 * Parses an answer, ignoring case: `y(es)` allows, `a(lways)` allows for the session, `n(o)`, nothing and undefined
 * deny; any other text denies and is passed to the model.
 */
export const answerOf = (text: string | undefined): ApprovalAnswer => {
  const given = (text ?? '').trim()
  const word = given.toLowerCase()
  if (word === 'y' || word === 'yes') return { decision: 'allow' }
  if (word === 'a' || word === 'always') return { decision: 'always' }
  if (word === '' || word === 'n' || word === 'no') return { decision: 'deny' }
  return { decision: 'deny', feedback: given }
}

/**
 * Asks for a line during a turn and returns the answer as the terminal gives it. Ctrl-C at the question stops the turn,
 * as everywhere else: what was done stays, and the turn's outcome says how it ended. Rejects like the terminal's `ask`.
 */
export const askInTurn = async (
  terminal: Pick<Terminal, 'ask'>,
  question: string,
  cancel: Pick<Cancel, 'now'>,
): Promise<string | undefined> => {
  try {
    return await terminal.ask(question)
  } catch (error) {
    if (error instanceof Interrupted) cancel.now()
    throw error
  }
}

/**
 * Returns the function that asks on this terminal whether a call may run, showing its diff; `view` is paused first, and
 * Ctrl-C ends the turn. Undefined if nobody can answer.
 */
export const approverOn = (
  terminal: Terminal,
  view: Pick<RunView, 'pause'>,
  cancel: Pick<Cancel, 'now'>,
): Approver | undefined => {
  if (!terminal.canAsk) return undefined
  return async ({ call, why }: ApprovalRequest) => {
    view.pause()
    terminal.note(`${terminal.style('bold', neutraliseLine(call.title))}: ${neutraliseLine(why)}`)
    if (call.diff !== undefined) for (const line of noteDiff(terminal, call.diff)) terminal.note(line)
    const question = wrapLine(QUESTION, terminal.errorWidth).join('\n')
    return answerOf(await askInTurn(terminal, `${question.trimEnd()} `, cancel))
  }
}
