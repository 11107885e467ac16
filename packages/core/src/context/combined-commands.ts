/** Commands of a log with what they printed, each as one: for display only, the model's history is not made of these. */
import type { ToolCallBlock, ToolResultBlock } from '../messages.ts'
import type { LogEntry } from '../session-log.ts'
import { combineDisplayMessages, type ClineDisplayMessage } from '../session/combine-display.ts'
import { callArguments, resultText, resultsByCall } from '../summary/conversation.ts'
import { resultKind } from './view-block.ts'

export interface CombinedCommand {
  readonly command: string
  /** The command, `Output:` and what it printed. */
  readonly text: string
  readonly result: ToolResultBlock
  readonly call: ToolCallBlock
}

/**
 * The shell commands among these entries, by their call, each with its output put together as a person is
 * shown it. A command whose result is not among the entries is left out.
 */
export const combinedCommands = (entries: readonly LogEntry[]): ReadonlyMap<ToolCallBlock, CombinedCommand> => {
  const messages = entries.filter((entry) => entry.kind === 'message')
  const results = resultsByCall(messages)
  const found = new Map<ToolCallBlock, CombinedCommand>()
  for (const { content, at } of messages) {
    for (const call of content) {
      if (call.type !== 'tool_call') continue
      const command = commandOf(call)
      const result = command === undefined ? undefined : results.get(call)
      if (command === undefined || result === undefined) continue
      const [shown] = combineDisplayMessages(displayed(command, resultText(result), at ?? 0))
      found.set(call, { command, text: shown?.text ?? command, result, call })
    }
  }
  return found
}

/** The command and its output as Cline's messages of a command, both of the time `ts` (ms). */
const displayed = (command: string, output: string, ts: number): readonly ClineDisplayMessage[] => [
  { ts, type: 'say', say: 'command', text: command },
  { ts, type: 'say', say: 'command_output', text: output },
]

const COMMAND_KEYS = ['command', 'cmd', 'script'] as const

/**
 * The command of a call: its argument `command`, `cmd` or `script`, a list of words joined by spaces. undefined where
 * its tool is no command line, or none of these arguments is a text that is not blank or a list of texts.
 */
const commandOf = ({ name, input }: Pick<ToolCallBlock, 'name' | 'input'>): string | undefined => {
  if (resultKind(name, []) !== 'command') return undefined
  const given = callArguments(input)
  for (const key of COMMAND_KEYS) {
    const value = given[key]
    if (typeof value === 'string' && value.trim() !== '') return value
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'))
      return value.join(' ')
  }
  return undefined
}
