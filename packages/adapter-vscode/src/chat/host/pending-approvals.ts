/** The calls that wait for the user's word. */
import type { ApprovalAnswer, ApprovalRequest, Approver } from '@cairn/core/agent'

/** The calls that wait for the user's approval. */
export interface PendingApprovals {
  readonly approve: Approver
  /** Answers a call; false where it does not wait, or not any more. */
  answer(callId: string, answer: ApprovalAnswer): boolean
}

/**
 * Returns an empty set of pending approvals; `onChange` gets the number that wait whenever it changes. A call whose
 * signal aborts no longer waits, and its promise rejects. `answer` gives whether the call waits.
 */
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
