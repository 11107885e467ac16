/** How far a replay is, and that in words. */
import type { ReplayPolicyName } from '@cairn/core'

/** How far a replay is. */
export interface Progress {
  /** Requests of the session that this pass has replayed, and all that it has. */
  readonly done: number
  readonly total: number
  /** Which of `passes` it is, from 0. */
  readonly pass: number
  /** Under what the session is replayed, one after the other. */
  readonly passes: readonly ReplayPolicyName[]
}

/** Returns which requests of the session are being replayed, and under what: as its agent did, or a policy. */
export const progressText = ({ done, total, pass, passes }: Progress): string => {
  const name = passes[pass] ?? 'recorded'
  const whose = name === 'recorded' ? 'as its agent did' : `under ${name}`
  const position = passes.length === 1 ? '' : `, ${pass + 1} of ${passes.length}`
  return `Replaying ${whose}${position}: request ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`
}
