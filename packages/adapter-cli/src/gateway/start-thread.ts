/** Starts the thread that records for the gateway. */
import { Worker } from 'node:worker_threads'
import type { CacheAwarePreset, PolicyName, PriceOverride } from '@cairn/core'
import type { Surroundings } from '../config/locations.ts'

interface RecordingInput {
  /** The store's address; undefined keeps nothing. */
  readonly store: string | undefined
  readonly prices: Readonly<Record<string, PriceOverride>>
  /** Without one bytes pass untouched. */
  readonly policy?: { readonly name: PolicyName; readonly preset: CacheAwarePreset | undefined }
}

/** What the thread is started with: only what can be handed to another thread. */
export interface RecordingSetting extends RecordingInput {
  /** The project of clients that don't say where they work. */
  readonly folder: string
  readonly surroundings: Surroundings
}

/** Beside the command's own file; the build makes it of `recording-thread.ts`. */
const PROGRAM = './recording-thread.js'

export const startThread = (
  { store, prices, policy, project }: RecordingInput & { readonly project: string | undefined },
  { variables, platform, home, folder }: Surroundings,
): Worker => {
  const workerData: RecordingSetting = {
    store,
    prices,
    ...(policy === undefined ? {} : { policy }),
    folder: project ?? folder,
    surroundings: { variables: { ...variables }, platform, home, folder },
  }
  return new Worker(new URL(PROGRAM, import.meta.url), { workerData, name: 'recording' })
}
