/** The result of a model's command that failed. */
import type { ToolOutcome } from '@cairn/core/agent'

/** `exit code 1`; undefined for a successful command, and for a call that is not a command. */
export const failedCommand = ({ exitCode }: Pick<ToolOutcome, 'exitCode'>): string | undefined => {
  if (exitCode === undefined || exitCode === 0) return undefined
  return exitCode === null ? 'ended by a signal' : `exit code ${exitCode}`
}
