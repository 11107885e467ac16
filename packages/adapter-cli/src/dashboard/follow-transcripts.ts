/** Follows transcripts while the dashboard runs, beside its server, and reports the state to the pages. */
import { setTimeout as wait } from 'node:timers/promises'
import { dataFolder } from '@cairn/core/node'
import { STARTING, watchStatusAfter, watchStatusText, watchTranscripts } from '@cairn/core/node/watching'
import type { WatchStatus, WatchStatusText } from '@cairn/core/node/watching'
import type { CommonOptions, Context } from '../command.ts'
import { excludedAgents } from '../options/excluded-agents.ts'
import { importEnvironment } from '../runtime/import-environment.ts'
import { sentenceOf } from '../runtime/failure.ts'
import type { WatchDecision } from './watch-decision.ts'

/** Imports that run while the dashboard does. */
export interface FollowedTranscripts {
  /** Ends it; what is written at the moment is waited for, but not for long. */
  end(): Promise<void>
}

const SUBJECT = 'This dashboard'
/** How long the end of an import is waited for; the next import reads the rest. */
const PATIENCE_MS = 2_000

/**
 * Imports transcripts in the background, if so decided; never rejects for errors there. `show` receives what the pages
 * display, at first and after each change. `end` stops it, waiting a few seconds at most.
 */
export const followTranscripts = async (
  decision: WatchDecision,
  options: CommonOptions,
  context: Context,
  show: (status: WatchStatusText) => void,
): Promise<FollowedTranscripts> => {
  let status: WatchStatus = decision.follows ? STARTING : { state: 'off', reason: decision.reason }
  const change = (next: WatchStatus): void => {
    if (next === status) return
    status = next
    show(watchStatusText(status, SUBJECT))
  }
  show(watchStatusText(status, SUBJECT))
  if (!decision.follows) return { end: () => Promise.resolve() }
  const { terminal, surroundings } = context
  const { store, 'watch.exclude': excluded } = await context.settings(options)
  const stop = new AbortController()
  const watching = watchTranscripts({
    environment: importEnvironment(surroundings),
    exclude: excludedAgents(excluded.value),
    dataFolder: dataFolder(surroundings),
    store: store.value,
    program: 'cairn dashboard',
    open: () => context.watchedEngine(options),
    listener: (event) => {
      if (event.type === 'trouble') terminal.note(`${sentenceOf(event.error)} It is tried again.`)
      change(watchStatusAfter(status, event, sentenceOf))
    },
    signal: stop.signal,
  }).catch((error: unknown) => {
    // The pages are shown all the same.
    terminal.note(sentenceOf(error))
    change({ state: 'off', reason: sentenceOf(error) })
  })
  return {
    end: async () => {
      stop.abort()
      await Promise.race([watching, wait(PATIENCE_MS, undefined, { ref: false })])
    },
  }
}
