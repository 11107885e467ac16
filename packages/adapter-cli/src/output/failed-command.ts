/** The result of a model's command that failed. */
import type { ToolOutcome } from '@cairn/core/agent'

/**
 * Returns "exit code 1" or "ended by a signal" for a failed command; undefined for a successful one and for a call that
 * is not a command.
 */
export const failedCommand = ({ exitCode }: Pick<ToolOutcome, 'exitCode'>): string | undefined => {
  if (exitCode === undefined || exitCode === 0) return undefined
  return exitCode === null ? 'ended by a signal' : `exit code ${exitCode}`
}
