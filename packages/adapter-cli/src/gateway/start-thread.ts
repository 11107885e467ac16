/** Starts the thread that records for the gateway. */
import { Worker } from 'node:worker_threads'
import type { CacheAwarePreset, PolicyName, PriceOverride } from '@cairn/core'
import type { Surroundings } from '../config/locations.ts'

/** What is recorded, and where. */
interface RecordingInput {
  /** The store's address; undefined keeps nothing. */
  readonly store: string | undefined
  readonly prices: Readonly<Record<string, PriceOverride>>
  /** Without one bytes pass untouched. */
  readonly policy?: { readonly name: PolicyName; readonly preset: CacheAwarePreset | undefined }
}

/** The part of the gateway's settings that the thread depends on. */
interface ThreadInput extends RecordingInput {
  /** The project of `--workspace`. */
  readonly project: string | undefined
  readonly budget?: unknown
}

/** The thread's input: only data that can be passed to another thread. */
export interface RecordingSetting extends RecordingInput {
  /** Requests wait for this thread: for its policy, or for the bills that the budget needs. */
  readonly isAwaited: boolean
  /** The project of clients that don't say where they work. */
  readonly folder: string
  readonly surroundings: Surroundings
}

/** Next to the command's own file; the build makes it from `recording-thread.ts`. */
const PROGRAM = './recording-thread.js'

/** Returns the thread's input from the gateway's settings: only data that can be passed to another thread. */
export const recordingSetting = (
  { store, prices, policy, budget, project }: ThreadInput,
  { variables, platform, home, folder }: Surroundings,
): RecordingSetting => ({
  store,
  prices,
  ...(policy === undefined ? {} : { policy }),
  isAwaited: policy !== undefined || budget !== undefined,
  folder: project ?? folder,
  surroundings: { variables: { ...variables }, platform, home, folder },
})

/** Starts the recording thread; `end` terminates it in any state, with what it has not written. */
export const startThread = (
  input: ThreadInput,
  surroundings: Surroundings,
): { readonly port: Worker; readonly end: () => Promise<unknown> } => {
  const workerData = recordingSetting(input, surroundings)
  const port = new Worker(new URL(PROGRAM, import.meta.url), { workerData, name: 'recording' })
  return { port, end: () => port.terminate() }
}
