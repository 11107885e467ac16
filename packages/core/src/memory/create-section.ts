/**
 * Builds the memory section of a prompt from the storage. Separate from the other operations, so that a program that
 * needs only this loads nothing else.
 */
import { assertTimeOrAbsent } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { MemoryStorage } from '../ports/memory-storage.ts'
import { assertWorkspace } from './memory-input.ts'
import type { MemorySection, SectionOptions } from './memory.ts'
import { memorySection } from './section.ts'
import { createSectionChecks, priorityOrder, withStaleness } from './stale-entries.ts'

export interface SectionDeps {
  readonly storage: Pick<MemoryStorage, 'list'>
  readonly clock: Clock
  /** Reads the files that entries cite. */
  readonly fileSystem: FileSystem
  readonly hasher: Hasher
}

/**
 * Creates a function that builds memory sections. With a time `at`, the entries are those of that time, and the result
 * of checking their cited files is reused for the next section with the same `at`.
 * @returns a function with the contract of `Memory.section`
 */
export const createMemorySection = ({
  storage,
  ...checked
}: SectionDeps): ((workspace: string, options?: SectionOptions) => Promise<MemorySection>) => {
  const sectionChecks = createSectionChecks(checked)
  return async (workspace, { maxTokens, at } = {}) => {
    assertWorkspace(workspace)
    assertTimeOrAbsent(at, 'The time at which the session began')
    const entries = await storage.list(workspace, at === undefined ? {} : { asOf: at })
    const stale = await sectionChecks.of(workspace, at, entries)
    const begun = at ?? checked.clock.now()
    return memorySection(
      entries.map((entry) => withStaleness(entry, stale)),
      { ...(maxTokens === undefined ? {} : { maxTokens }), at: begun, order: priorityOrder(begun, stale) },
    )
  }
}
