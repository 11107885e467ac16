/** The events for a call that is not run: it starts and ends at once, with the reason. */
import type { AgentEvent, NotRunReason } from './agent.ts'
import type { CallFacts, ToolOutcome } from './agent-tool.ts'
import { interruptedCall, type OpenCall } from './open-calls.ts'

/** A result that says in one sentence why there is no other. */
export const failed = (text: string): ToolOutcome => ({ content: [{ type: 'text', text }], isError: true })

/**
 * The events of a call that is not run, `tool-started` and `tool-finished` (after 0 ms), both with the reason. `facts`:
 * what it would have done; default: no effect, no paths, and its command or tool as the title.
 */
export const notRunEvents = (
  open: OpenCall,
  outcome: ToolOutcome,
  notRun: NotRunReason,
  facts: CallFacts = { effect: 'none', title: interruptedCall(open), paths: [] },
): readonly AgentEvent[] => {
  const call = { callId: open.call.id, tool: open.call.name, notRun }
  return [
    { type: 'tool-started', ...call, call: facts },
    { type: 'tool-finished', ...call, outcome, durationMs: 0 },
  ]
}
