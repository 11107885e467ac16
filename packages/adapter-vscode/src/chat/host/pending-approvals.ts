/** The calls that wait for the user's word. */
import type { ApprovalAnswer, ApprovalRequest, Approver } from '@cairn/core/agent'

export interface PendingApprovals {
  readonly approve: Approver
  /** Answers a call; false where it does not wait, or not any more. */
  answer(callId: string, answer: ApprovalAnswer): boolean
}

/** Calls that wait for the user's answer, none yet; `onChange` hears how many wait. */
export const createPendingApprovals = (onChange: (waiting: number) => void): PendingApprovals => {
  const waiting = new Map<string, (answer: ApprovalAnswer) => void>()

  const ask = ({ callId }: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        signal.removeEventListener('abort', abort)
        waiting.delete(callId)
        onChange(waiting.size)
      }
      const abort = (): void => {
        end()
        reject(signal.reason instanceof Error ? signal.reason : new Error('The turn was stopped.'))
      }
      if (signal.aborted) {
        abort()
        return
      }
      signal.addEventListener('abort', abort)
      waiting.set(callId, (answer) => {
        end()
        resolve(answer)
      })
      onChange(waiting.size)
    })

  return {
    approve: ask,
    answer: (callId, answer) => {
      const waits = waiting.get(callId)
      waits?.(answer)
      return waits !== undefined
    },
  }
}
