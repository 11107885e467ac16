/** Looks at folders that nobody looked at yet, so that clones of a repository count as one project here, too. */
import { CairnError } from '@cairn/core'
import type { Store } from '@cairn/core'
import { createFileSystem } from '@cairn/core/node'
import { createProjects } from '@cairn/core/projects'

/** A folder of a network may not answer; no page waits longer for it, ms. */
const LONGEST_WAIT_MS = 1_000

/**
 * Looks at new folders once. If the result can't be stored, projects are told apart by their paths. Other errors
 * reject.
 */
const look = async ({ projects }: Pick<Store, 'projects'>): Promise<void> => {
  await createProjects({ storage: projects, fileSystem: createFileSystem() })
    .identify()
    .catch((error: unknown) => {
      if (!CairnError.is(error)) throw error
    })
}

/** Resolves when the promise does, or after some time (ms); rejects if the promise does before. */
const atMost = async (promise: Promise<void>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, late])
  clearTimeout(timer)
}

/**
 * Returns a function for one store that looks at its new folders, once for each state of the store, and one look at a
 * time. It resolves once they were looked at, at the latest after {@link LONGEST_WAIT_MS}.
 */
export const createFolderLooks = (): ((store: Pick<Store, 'projects'>, changes: number) => Promise<void>) => {
  let seen: number | undefined
  let looking: Promise<void> | undefined
  return async (store, changes) => {
    if (looking === undefined && seen !== changes) {
      seen = changes
      looking = look(store).finally(() => {
        looking = undefined
      })
    }
    if (looking !== undefined) await atMost(looking, LONGEST_WAIT_MS)
  }
}
