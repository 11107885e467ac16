/** Creates an agent over an engine: one session, with its turns in sequence. */
import { CairnError } from '../errors.ts'
import { assertName, assertObject } from '../input.ts'
import type { Agent, AgentOutcome } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import { checkedLimits } from './turn-limits.ts'
import { runTurn, type TurnMessage } from './turn.ts'
import { withUniqueCallIds } from './unique-call-ids.ts'

const SYSTEM_CLOCK = { now: () => Date.now() }

/**
 * An agent of one session. Nothing is read or sent before its first turn.
 *
 * A turn resolves with the reason why it ended, including failures of the model (`outcome.error`). It rejects with
 * `invalid-input` for an empty message, `not-found` for a session that is not stored, `sequence-conflict` if another
 * run works on the session, and with the model's error if not even a session could be started. It rejects with `usage`
 * if another turn is running, and `resume` does so without a session.
 *
 * @throws CairnError `invalid-input` for invalid options, two tools with one name, and limits below 1
 */
export const createAgent = (given: AgentOptions): Agent => {
  assertOptions(given)
  const options = { ...given, languageModel: withUniqueCallIds(given.languageModel) }
  const tools = new Map(options.tools.map((tool) => [tool.definition.name, tool]))
  const { clock = SYSTEM_CLOCK, granted = new Set<string>() } = options
  let sessionId = options.session
  let isBusy = false

  /** Runs one turn; throws `usage` while another is at work. Without a signal nothing aborts it. */
  const turn = async (message: TurnMessage | undefined, signal?: AbortSignal): Promise<AgentOutcome> => {
    if (isBusy) throw new CairnError('usage', 'The agent is at work already; wait for its turn to end.')
    isBusy = true
    try {
      const onSession = (id: string): void => {
        sessionId = id
      }
      const parts = {
        options,
        tools,
        granted,
        clock,
        sessionId,
        onSession,
        signal: signal ?? new AbortController().signal,
      }
      return await runTurn(parts, message)
    } finally {
      isBusy = false
    }
  }

  return {
    get sessionId() {
      return sessionId
    },
    run: async (message, { signal } = {}) => {
      const isEmpty = typeof message === 'string' ? message.trim() === '' : message.length === 0
      if (isEmpty) throw new CairnError('invalid-input', 'The message is empty; nothing was sent.')
      return turn(message, signal)
    },
    resume: async ({ signal } = {}) => {
      if (sessionId === undefined) throw new CairnError('usage', 'There is no session to go on with yet.')
      return turn(undefined, signal)
    },
  }
}

/** @throws CairnError `invalid-input` for options of the wrong type, two tools with one name, or limits out of range */
const assertOptions = (options: AgentOptions): void => {
  assertObject(options, 'What an agent is made of')
  assertObject(options.engine, "The agent's engine")
  assertObject(options.languageModel, "The agent's languageModel")
  assertName(options.model, "The agent's model")
  assertName(options.workspace, "The agent's workspace")
  if (options.session !== undefined) assertName(options.session, "The session's id")
  const { tools }: { readonly tools: unknown } = options
  if (!Array.isArray(tools)) throw new CairnError('invalid-input', "The agent's tools must be a list.")
  const names = options.tools.map(({ definition }) => definition.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new CairnError('invalid-input', `Two of the agent's tools are called "${twice}".`)
  checkedLimits(options.limits)
}
