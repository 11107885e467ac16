/** Whether the dashboard takes in what agents write while it runs. */
import { isWatchSwitchedOff } from '@cairn/core/node/watching'
import type { Settings } from '../config/settings.ts'

export type WatchDecision =
  | { readonly follows: true }
  /** `reason`: a sentence. */
  | { readonly follows: false; readonly reason: string }

/**
 * Whether the dashboard takes transcripts in, or why not. The user's own store is filled. One that was only named for
 * this call, or by a repository, is shown as it is: nobody who looks at a backup wants today's sessions in it. `flag`:
 * of `--watch` and `--no-watch`, which win over all else.
 */
export const watchDecision = (
  settings: Pick<Settings, 'store' | 'dashboard.watch'>,
  flag: boolean | undefined,
  variables: Readonly<Record<string, string | undefined>>,
): WatchDecision => {
  if (flag === true) return { follows: true }
  const reason = reasonAgainst(settings, flag, variables)
  return reason === undefined ? { follows: true } : { follows: false, reason }
}

/** Why transcripts are not followed beside the dashboard; undefined where they are. */
const reasonAgainst = (
  { store, 'dashboard.watch': watch }: Pick<Settings, 'store' | 'dashboard.watch'>,
  flag: boolean | undefined,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  if (flag === false) return 'It was started with --no-watch.'
  if (isWatchSwitchedOff(variables)) return 'CAIRN_WATCH switches it off.'
  if (!watch.value) return 'The setting dashboard.watch switches it off.'
  if (store.origin.from === 'flag') return 'The store was named with --store; add --watch to take in what agents write.'
  if (store.origin.from === 'workspace')
    return 'This project names a store of its own; start it with --watch to take in what agents write.'
  return undefined
}
