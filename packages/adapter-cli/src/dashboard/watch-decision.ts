/** Decides whether the dashboard imports what agents write while it runs. */
import { isWatchSwitchedOff } from '@cairn/core/node/watching'
import type { Settings } from '../config/settings.ts'

/** Whether transcripts are imported while the dashboard runs. */
export type WatchDecision =
  | { readonly follows: true }
  /** `reason`: a sentence. */
  | { readonly follows: false; readonly reason: string }

/**
 * Whether the dashboard imports transcripts, or why not. The user's own store is filled. A store named only for this
 * call, or by a repository, is shown as it is: someone who looks at a backup does not want today's sessions in it.
 * `flag` is that of `--watch` and `--no-watch`, which take precedence.
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

/**
 * Why transcripts are not imported, as a sentence; undefined if they are. `flag`: false for `--no-watch`; the caller has
 * decided already where `--watch` is given.
 */
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
