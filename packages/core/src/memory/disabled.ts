/**
 * Memory and profile for sessions that must not know of anything before them: calls are refused, and prompt sections
 * are empty.
 */
import { CairnError } from '../errors.ts'
import type { MemoryStorage } from '../ports/memory-storage.ts'
import type { Memory, MemorySection } from './memory.ts'
import type { Profile } from './profile.ts'

/** The memory section of a session that must not know of earlier ones. */
export const EMPTY_SECTION: MemorySection = { text: '', tokens: 0, entries: [], left: 0 }
/** The profile section of a session that must not know the user. */
export const EMPTY_PROFILE_SECTION = { text: '', tokens: 0 }

/** Always rejects with `unsupported`: the operation needs long-term memory. */
export const refuse = async (): Promise<never> => {
  throw new CairnError(
    'unsupported',
    'Long-term memory is switched off here (--no-ltm): nothing of it was read or changed.',
  )
}

/** A memory whose section is empty and whose other calls reject with `unsupported`. */
export const disabledMemory = (): Memory => ({
  add: refuse,
  get: refuse,
  list: refuse,
  search: refuse,
  confirm: refuse,
  contradict: refuse,
  update: refuse,
  forget: refuse,
  history: refuse,
  ended: refuse,
  stats: refuse,
  prune: refuse,
  consolidate: refuse,
  section: async () => EMPTY_SECTION,
  check: refuse,
  exportText: refuse,
  importText: refuse,
})

/** A profile whose section is empty and whose other calls reject with `unsupported`. */
export const disabledProfile = (): Profile => ({
  show: refuse,
  set: refuse,
  enable: refuse,
  section: async () => EMPTY_PROFILE_SECTION,
})

/** A read-only memory storage without entries. */
export const NOTHING_REMEMBERED: Omit<MemoryStorage, 'change'> = {
  revision: async () => '',
  get: async () => undefined,
  list: async () => [],
  history: async () => [],
  ended: async () => [],
  resolve: async () => [],
  workspaces: async () => [],
}
