/** The state of a session's tasks, shown below its transcript. */
import type { TaskState } from '@cairn/core'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapAfter } from '../terminal/wrap.ts'

/** Returns state and counters, then the todo list; empty for a session in which no model answered. */
export const taskLines = (state: TaskState, width: number): readonly string[] => {
  const { apiRequestCount, consecutiveMistakeCount, apiRequestsSinceLastTodoUpdate, currentFocusChainChecklist } = state
  if (apiRequestCount === 0) return []
  const facts = [
    `${counted(apiRequestCount, 'answer')} of the model`,
    ...(consecutiveMistakeCount > 0
      ? [`the last ${counted(consecutiveMistakeCount, 'request')} with tools failed`]
      : []),
    ...(state.didEditFile ? ['files edited since the last checkpoint'] : []),
    ...(currentFocusChainChecklist === null
      ? ['no todo list']
      : [`${counted(apiRequestsSinceLastTodoUpdate, 'answer')} since the todo list changed:`]),
  ]
  return [
    '',
    ...wrapAfter('state    ', facts.join('; '), width),
    ...(currentFocusChainChecklist ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => wrapAfter('  ', neutraliseLine(line), width)),
  ]
}
