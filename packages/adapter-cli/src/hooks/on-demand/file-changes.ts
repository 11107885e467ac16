/** Loaded only if a file changed or a warning is pending. */
import { fileChangeNotice } from '@cairn/core/hooks'
import type { FileChangeRequest } from '@cairn/core/hooks'
import { createFileSystem, createHasher } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'
import { createGitRecords } from '@cairn/core/node/watching'
import type { HookStore } from '../hook-store.ts'
import { queueImport } from '../import-queue.ts'
import { keepTold, readTold } from '../told-changes.ts'

/** A text for the agent, and what to do once it was delivered. */
export interface ChangeText {
  readonly text: string
  readonly onDelivered: () => void
}

/**
 * Returns what to tell the session's agent about files that others changed; empty if there is nothing new. It counts as
 * told once `onDelivered` was called. Rejects as the store does.
 */
export const changeText = async (
  store: HookStore,
  {
    agent,
    folder,
    imports,
    ...request
  }: Omit<FileChangeRequest, 'isTold'> & {
    readonly agent: string
    readonly folder: string | undefined
    readonly imports: boolean
  },
  surroundings: Surroundings,
): Promise<ChangeText> => {
  const { sessionId, transcript } = request
  const told = readTold(surroundings, sessionId)
  const { text, keys, warnings } = await fileChangeNotice(
    {
      fileSystem: createFileSystem(),
      hasher: createHasher(),
      git: createGitRecords(),
      search: store.search,
      sessions: store.sessions,
    },
    { ...request, isTold: (key) => told.has(key) },
  )
  return {
    text,
    onDelivered: () => {
      keepTold(surroundings, sessionId, [...told, ...keys])
      // A hook only reads the store.
      if (warnings.length > 0 && imports) queueImport({ agent, transcript, folder, told: sessionId }, surroundings)
    },
  }
}
