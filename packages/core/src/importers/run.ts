/** Imports transcripts: finds the files, takes each through its importer, and sums up. */
import { CairnError } from '../errors.ts'
import type { EngineListener, ImportSkip } from '../events.ts'
import { assertName, assertObject, assertTextOrAbsent, invalidInput, isListOfTexts } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { ImportStorage } from '../ports/import-storage.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import { isUnchanged } from './cursor.ts'
import { discover } from './discover.ts'
import { importFile } from './import-file.ts'
import type { ImportEnvironment } from './importer.ts'
import { findTaskOwner } from './shared-tasks.ts'
import { createSkipCollector, skipReason } from './skips.ts'
import { stoppable, untilStopped } from './stoppable.ts'
import { createWorkspaceResolver } from './workspace.ts'

/** What an import reads from and writes to. */
export interface ImportDeps {
  readonly storage: ImportStorage
  readonly sessions: Pick<SessionStorage, 'resolve'>
  readonly fileSystem: FileSystem
  readonly hasher: Hasher
  /** Asked for when there is something to price: the list is large, and most imports find nothing new. */
  readonly priceBook: () => Promise<PriceBook>
  readonly clock: Clock
  /** Takes secrets out of a raw line, leaving valid JSON valid. */
  readonly redact: (text: string) => { readonly text: string; readonly count: number }
  readonly listener?: EngineListener | undefined
  /** Ends the import at once, whatever it waits for; what was committed before stays. */
  readonly signal?: AbortSignal | undefined
}

/** Which transcripts are imported. */
export interface ImportOptions {
  /** Absolute paths of files or folders; none: the usual places of every agent. */
  readonly from?: readonly string[]
  readonly agent?: string
  readonly environment: ImportEnvironment
}

/** What an import did. Counts are of what is new in the store. */
export interface ImportReport {
  /** Files in which there was something to read. */
  readonly files: number
  readonly sessions: number
  readonly messages: number
  readonly requests: number
  /** At most five rows a file. */
  readonly skipped: readonly ImportSkip[]
  readonly ms: number
}

/**
 * Runs an import. Rejects with `invalid-input` for what says no places, for an agent that is not supported, when aborted, and when the store fails;
 * a file that can't be read, or fails in any other way, is named in `skipped`, and the others are imported.
 */
export const runImport = async (deps: ImportDeps, options: ImportOptions): Promise<ImportReport> => {
  assertOptions(options)
  const startedAt = deps.clock.now()
  const { signal, listener } = deps
  const known = new Map((await untilStopped(deps.storage.files(), signal)).map((file) => [file.path, file]))
  const fileSystem = stoppable(deps.fileSystem, signal)
  const found = await discover(fileSystem, { ...options, known, signal })
  const bytes = found.files.reduce((sum, { facts }) => sum + facts.size, 0)
  listener?.({ type: 'import-started', files: found.files.length, bytes })

  const skipped: ImportSkip[] = []
  const report = (skips: readonly ImportSkip[]): void => {
    for (const skip of skips) {
      skipped.push(skip)
      listener?.({ type: 'import-skipped', skip })
    }
  }
  report(found.skips)

  const workspaceOf = createWorkspaceResolver(fileSystem)
  const totals = { commits: 0, files: 0, sessions: 0, messages: 0, requests: 0 }
  let filesDone = 0
  let bytesDone = 0
  for (const { facts, importer } of found.files) {
    signal?.throwIfAborted()
    const skips = createSkipCollector(facts.path)
    const progress = (bytesOfFile: number): void =>
      listener?.({
        type: 'import-progress',
        file: facts.path,
        filesDone,
        files: found.files.length,
        bytesDone: bytesDone + Math.min(bytesOfFile, facts.size),
        bytes,
      })
    const before = known.get(facts.path)
    const large = { isAnnounced: false }
    try {
      const owner = await findTaskOwner(facts.path, importer, before, deps.sessions)
      const result = await importFile(facts, owner.importer, before, { ...deps, fileSystem, workspaceOf }, skips, {
        onCommit: (counts) => {
          totals.commits++
          totals.sessions += counts.newSessions
          totals.messages += counts.newMessages
          totals.requests += counts.newRequests
        },
        onBytes: progress,
        onLarge: () => {
          if (!large.isAnnounced) listener?.({ type: 'import-busy', isBusy: true })
          large.isAnnounced = true
        },
      })
      if (result === 'imported') totals.files++
      // Who named the agent is told each time, others when there was something new.
      if (owner.notice !== undefined && (options.agent !== undefined || result === 'imported')) skips.add(owner.notice)
    } catch (error) {
      // Nothing can be kept when the store fails, and nothing should be when the user stopped it.
      if (signal?.aborted === true || (CairnError.is(error) && error.code.startsWith('storage-'))) throw error
      skips.add(skipReason(facts.path, error))
    }
    if (large.isAnnounced) listener?.({ type: 'import-busy', isBusy: false })
    report(skips.rows())
    filesDone++
    bytesDone += facts.size
    // Files that were not opened pass in silence: there may be thousands.
    if (before === undefined || !isUnchanged(before.cursor, facts) || filesDone === found.files.length) progress(0)
  }
  const { commits, ...counts } = totals
  if (commits > 0) listener?.({ type: 'store-changed' })
  return { ...counts, skipped, ms: deps.clock.now() - startedAt }
}

const assertOptions = (options: ImportOptions): void => {
  assertObject(options, 'What is imported')
  assertObject(options.environment, 'The environment of an import')
  assertName(options.environment.home, 'The home folder of an import')
  assertObject(options.environment.variables, 'The environment variables of an import')
  assertTextOrAbsent(options.agent, 'The agent whose transcripts are imported')
  const { from } = options
  if (from !== undefined && !isListOfTexts(from)) throw invalidInput('The places of an import', 'a list of paths', from)
}
