/** The gateway's thread: reads copies of the traffic, writes them to the store, and applies the context policy. */
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { createRecorder, createRequestPolicy, serveRecording } from '@cairn/core/node/gateway'
import type { ThreadWork } from '@cairn/core/node/gateway'
import { importEnvironment } from '../runtime/import-environment.ts'
import { openEngine } from '../runtime/open-engine.ts'
import type { RecordingSetting } from './start-thread.ts'

/** The priority of a thread that nobody waits for; 0 is normal, 19 the lowest. */
const LATER = 10

const { store: address, prices, policy, isAwaited, folder, surroundings } = workerData as RecordingSetting

/**
 * Opens the store, if one is named, and what records into it; the policy needs both a store and its name in the
 * setting. `tell` is told what goes wrong. Rejects as opening the store does. Without a store it records nothing.
 */
const open = async (tell: (sentence: string) => void): Promise<ThreadWork> => {
  const engine = address === undefined ? undefined : await openEngine(address, { prices })
  const clock = createSystemClock()
  const hasher = createHasher()
  const environment = importEnvironment(surroundings)
  const recorder = createRecorder({
    store: engine?.store,
    clock,
    hasher,
    ids: createIds(clock),
    fileSystem: createFileSystem(),
    prices,
    environment,
    folder,
  })
  const requests =
    policy === undefined || engine === undefined
      ? undefined
      : createRequestPolicy({
          policy: policy.name,
          preset: policy.preset,
          recorder,
          store: engine.store,
          hasher,
          prices,
          importTranscript: async (agent, path) => {
            await engine.imports.run({ from: [path], agent, environment })
          },
          tell,
          now: () => clock.now(),
        })
  return { recorder, policy: requests, close: async () => engine?.close() }
}

if (parentPort !== null) {
  // Only Linux has priorities of threads. One that is lower already stays, as raising it may not be allowed.
  if (process.platform === 'linux' && !isAwaited && getPriority() < LATER) setPriority(LATER)
  await serveRecording(parentPort, open)
  parentPort.close()
}
