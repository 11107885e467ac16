/** `ask_user`: asks a question that only the user can answer. */
import { escapedLine } from '../../memory/section-text.ts'
import type { AgentTool } from '../agent-tool.ts'
import { answer, callOf, textIn, textsIn } from './tool-input.ts'

/** Asks whoever is present; undefined if there was no answer. May reject when the signal is aborted. */
export type AskUser = (question: string, choices: readonly string[], signal: AbortSignal) => Promise<string | undefined>

/**
 * The tool `ask_user`, which waits for `ask`. An empty or undefined answer tells the model to decide for itself.
 * Rejects as `ask` does.
 */
export const askUserTool = (ask: AskUser): AgentTool => ({
  definition: {
    name: 'ask_user',
    description:
      'Asks the user one question and waits. Only for what you can neither find out nor decide yourself; offer choices where there are some.',
    inputSchema: {
      type: 'object',
      properties: {
        question: { type: 'string' },
        choices: { type: 'array', items: { type: 'string' } },
      },
      required: ['question'],
    },
  },
  prepare: async (input, { signal }) => {
    const question = textIn(input, 'question', 4000)
    const choices = textsIn(input, 'choices', 10)
    return callOf('none', `ask: ${escapedLine(question, 100)}`, async () => {
      const given = (await ask(question, choices, signal))?.trim() ?? ''
      return answer(given === '' ? 'The user gave no answer: decide yourself, and say what you decided.' : given)
    })
  },
})
