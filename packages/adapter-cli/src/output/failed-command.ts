/** What a command of a model came to, where it did not succeed. */
import type { ToolOutcome } from '@cairn/core/agent'

/** `exit code 1`; undefined for a command that succeeded, and for a call that is no command. */
export const failedCommand = ({ exitCode }: Pick<ToolOutcome, 'exitCode'>): string | undefined => {
  if (exitCode === undefined || exitCode === 0) return undefined
  return exitCode === null ? 'ended by a signal' : `exit code ${exitCode}`
}
