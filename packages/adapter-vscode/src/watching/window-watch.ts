/** Follows transcripts while the window is open, if the settings say so, into the store that they name. */
import { dataFolder } from '@cairn/core/node'
import { objectOf } from '@cairn/core'
import { isWatchSwitchedOff } from '@cairn/core/node/watching'
import * as vscode from 'vscode'
import { ownPrices } from '../store/settings-files.ts'
import type { SettingsFile } from '../store/settings-files.ts'
import type { WindowStore } from '../store/window-store.ts'
import { createTranscriptWatch, startWatchThread } from './transcript-watch.ts'
import type { TranscriptWatch, WatchPlan } from './transcript-watch.ts'

/** What following transcripts needs of the window. */
export interface WatchDeps {
  readonly store: WindowStore
  readonly log: vscode.OutputChannel
  /** The file that runs a job when it is started as a thread. */
  readonly bundle: URL
}

/** A window's watch, which can be paused while an import reads the same files. */
export interface WindowWatch extends TranscriptWatch {
  readonly pause: (isPaused: boolean) => void
}

/** Returns the agents that the first settings file to name any excludes; empty if none does. */
const excludedAgents = (files: readonly SettingsFile[]): readonly string[] =>
  files
    .map(({ values }): unknown => objectOf(values['watch'])['exclude'])
    .find((names): names is unknown[] => Array.isArray(names))
    ?.filter((name) => typeof name === 'string') ?? []

/**
 * Returns why transcripts are not followed into the window's store; undefined if they may be.
 * @throws CairnError if that store may not be used
 */
const reasonAgainst = (store: WindowStore): string | undefined => {
  if (!vscode.workspace.getConfiguration('cairn').get<boolean>('watch', true))
    return 'The setting cairn.watch switches it off.'
  if (isWatchSwitchedOff(process.env)) return 'CAIRN_WATCH switches it off.'
  // Whoever wrote the folder's settings does not decide where one's whole history is kept.
  if (store.isOfFolder()) return 'This folder names a store of its own; "Cairn: Import Now" fills it.'
  return undefined
}

/**
 * Whether a dashboard that is opened for this window may follow transcripts, too; false if the store may not be used.
 */
export const mayFollow = (store: WindowStore): boolean => {
  try {
    return reasonAgainst(store) === undefined
  } catch {
    return false
  }
}

/**
 * Returns what the window follows now: all agents' transcripts into its store, or the reason for nothing, which is that
 * a setting or a variable says so, the folder names a store of its own, or there is no store yet.
 * @throws CairnError if its store may not be used
 */
const planFor = (store: WindowStore): WatchPlan => {
  const reason = reasonAgainst(store)
  if (reason !== undefined) return { follows: false, reason }
  // The first import is the user's decision.
  if (!store.isThere()) return { follows: false, reason: 'There is no store yet; "Cairn: Import Now" makes one.' }
  const surroundings = store.surroundings()
  const { home, platform, variables } = surroundings
  return {
    follows: true,
    job: {
      kind: 'cairn-watch',
      address: store.address(),
      prices: ownPrices(store.settings()),
      environment: {
        home,
        platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
        variables: { ...variables },
      },
      dataFolder: dataFolder(surroundings),
      exclude: excludedAgents(store.settings()),
    },
  }
}

/**
 * Returns a watch that follows transcripts, and reconsiders when the store, a setting or a folder changes. `pause`
 * stops it while an import runs. It starts at once.
 */
export const createWindowWatch = ({ store, log, bundle }: WatchDeps): WindowWatch => {
  let isPaused = false
  const watch = createTranscriptWatch({
    plan: () => (isPaused ? { follows: false, reason: 'An import is under way in this window.' } : planFor(store)),
    startThread: startWatchThread(bundle),
    log: (sentence) => log.appendLine(`${new Date().toISOString()} ${sentence}`),
  })
  store.onChange(watch.lookAgain)
  watch.lookAgain()
  return {
    ...watch,
    pause: (next) => {
      isPaused = next
      watch.lookAgain()
    },
  }
}
