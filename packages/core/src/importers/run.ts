/** Imports transcripts: finds the files, takes each through its importer, and sums up. */
import { CairnError } from '../errors.ts'
import type { EngineListener, ImportSkip } from '../events.ts'
import { assertName, assertObject, assertTextOrAbsent, invalidInput, isListOfTexts } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { ImportCounts, ImportedFile, ImportStorage } from '../ports/import-storage.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import { isUnchanged } from './import-cursor.ts'
import { discover, type FoundFile } from './discover.ts'
import { importFile } from './import-file.ts'
import { createIncognitoCheck, type IncognitoCheck } from './incognito-check.ts'
import type { ImportEnvironment } from './importer.ts'
import { transcriptOf } from './registry.ts'
import { findTaskOwner } from './shared-tasks.ts'
import { createSkipCollector, skipReason, type SkipCollector } from './skips.ts'
import { stoppable, untilStopped } from './stoppable.ts'
import { createWorkspaceResolver } from './workspace.ts'

/** What an import reads from and writes to. */
export interface ImportDeps {
  readonly storage: ImportStorage
  readonly sessions: Pick<SessionStorage, 'resolve' | 'get' | 'delete'>
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
  /** Absolute paths of files or folders; none: the usual folders of every agent. */
  readonly from?: readonly string[]
  readonly agent?: string
  /** Agents whose transcripts are left out. */
  readonly exclude?: readonly string[]
  /** Of what the places above hold only these files, absolute: for a caller that knows what has changed. */
  readonly changed?: readonly string[]
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
 * Imports transcripts, and reports what is new in the store. A file that can't be read or understood is named in
 * `skipped`, and the others are imported. A session that the settings of its folder make incognito is marked so for ever,
 * and what was stored of it before its folder was known is deleted. Rejects with `invalid-input` for bad options, with a
 * CairnError for an agent that is not supported, with the signal's reason when aborted, with a `storage-…` code when the
 * store fails, and where the record of incognito sessions can't be read; what was committed before stays.
 */
export const runImport = async (deps: ImportDeps, options: ImportOptions): Promise<ImportReport> => {
  assertOptions(options)
  const startedAt = deps.clock.now()
  const { signal, listener } = deps
  const fileSystem = stoppable(deps.fileSystem, signal)
  const incognito = await createIncognitoCheck({ ...deps, fileSystem }, options.environment)
  const known = await untilStopped(knownFiles(deps.storage, options), signal)
  const found = await discover(fileSystem, { ...options, known, signal })
  const files = found.files.filter(({ importer }) => options.exclude?.includes(importer.agent) !== true)
  const run = new ImportRun({ ...deps, fileSystem }, incognito, files, options.agent !== undefined)
  run.report(found.skips)
  for (const file of found.unread) listener?.({ type: 'import-unread', file })
  for (const file of files) {
    signal?.throwIfAborted()
    await run.take(file, known.get(file.facts.path))
  }
  const { commits, ...counts } = run.totals
  if (commits > 0 || incognito.hasRemoved()) listener?.({ type: 'store-changed' })
  return { ...counts, skipped: run.skipped, ms: deps.clock.now() - startedAt }
}

/** What is known of the files that are looked at, by path. Without `changed`, all files that were ever imported. */
const knownFiles = async (
  storage: ImportStorage,
  { changed }: ImportOptions,
): Promise<ReadonlyMap<string, ImportedFile>> => {
  const files =
    changed === undefined
      ? await storage.files()
      : await Promise.all(changed.map((path) => storage.file(transcriptOf(path))))
  return new Map(files.flatMap((file) => (file === undefined ? [] : [[file.path, file]])))
}

/**
 * One import: takes file after file, counts what came of them in `totals` and `skipped`, and tells the listener how far
 * it is. Making one tells the listener that the import started.
 */
class ImportRun {
  readonly skipped: ImportSkip[] = []
  readonly totals = { commits: 0, files: 0, sessions: 0, messages: 0, requests: 0 }
  readonly #deps: ImportDeps
  readonly #incognito: IncognitoCheck
  readonly #workspaceOf: ReturnType<typeof createWorkspaceResolver>
  readonly #isAgentNamed: boolean
  readonly #files: number
  readonly #bytes: number
  #filesDone = 0
  #bytesDone = 0
  /** Whether the listener was told that a large batch takes a while. */
  #isBusy = false

  constructor(deps: ImportDeps, incognito: IncognitoCheck, files: readonly FoundFile[], isAgentNamed: boolean) {
    this.#deps = deps
    this.#incognito = incognito
    this.#workspaceOf = createWorkspaceResolver(deps.fileSystem)
    this.#isAgentNamed = isAgentNamed
    this.#files = files.length
    this.#bytes = files.reduce((sum, { facts }) => sum + facts.size, 0)
    deps.listener?.({ type: 'import-started', files: this.#files, bytes: this.#bytes })
  }

  /** Keeps the skips for the report, and tells the listener of each. */
  report(skips: readonly ImportSkip[]): void {
    for (const skip of skips) {
      this.skipped.push(skip)
      this.#deps.listener?.({ type: 'import-skipped', skip })
    }
  }

  /**
   * Imports a file; `before` is what is known of it from an earlier import. What can't be read or understood is noted
   * as skipped; rejects only when the import was stopped or the store fails.
   */
  async take(file: FoundFile, before: ImportedFile | undefined): Promise<void> {
    const { facts } = file
    const skips = createSkipCollector(facts.path)
    /** Lines that were left out, by the session that is incognito. */
    const hidden = new Map<string, number>()
    try {
      await this.#import(file, before, skips, hidden)
    } catch (error) {
      // Nothing can be kept when the store fails, and nothing should be when the user stopped the import.
      if (this.#deps.signal?.aborted === true || (CairnError.is(error) && error.code.startsWith('storage-')))
        throw error
      skips.add(skipReason(facts.path, error))
      this.#deps.listener?.({ type: 'import-unread', file: facts.path })
    } finally {
      this.#announceBusy(false)
    }
    for (const [session, lines] of hidden) skips.add(await this.#incognito.reasonFor(session), undefined, lines)
    this.report(skips.rows())
    this.#filesDone++
    this.#bytesDone += facts.size
    // Files that were not opened are passed without an event: there may be thousands.
    if (before === undefined || !isUnchanged(before.cursor, facts) || this.#filesDone === this.#files)
      this.#announceProgress(facts, 0)
  }

  /**
   * Imports a file, unless its path is marked incognito: it is then only added to `hidden`. Counts go to the totals; if
   * anything was imported, the listener is told of the file, with what it brought. Notices go to `skips`. Rejects as
   * `importFile` does.
   */
  async #import(
    { facts, importer }: FoundFile,
    before: ImportedFile | undefined,
    skips: SkipCollector,
    hidden: Map<string, number>,
  ): Promise<void> {
    const marked = this.#incognito.inPath(importer.agent, facts.path)
    if (marked !== undefined) {
      hidden.set(`${importer.agent}:${marked}`, 1)
      return
    }
    const owner = await findTaskOwner(facts.path, importer, before, this.#deps.sessions)
    const { covers, isSetFor } = this.#incognito
    const deps = { ...this.#deps, workspaceOf: this.#workspaceOf, isHidden: covers, isHiddenIn: isSetFor }
    const written = { sessions: new Set<string>(), newSessions: 0, newMessages: 0, newRequests: 0 }
    const result = await importFile(facts, owner.importer, before, deps, skips, {
      onCommit: (counts, sessions) => {
        this.#count(counts)
        for (const session of sessions) written.sessions.add(session)
        written.newSessions += counts.newSessions
        written.newMessages += counts.newMessages
        written.newRequests += counts.newRequests
      },
      onBytes: (bytes) => this.#announceProgress(facts, bytes),
      onLarge: () => this.#announceBusy(true),
      onUnsettled: () => this.#deps.listener?.({ type: 'import-unsettled', file: facts.path }),
      onHidden: (lines) => {
        for (const [session, count] of lines) hidden.set(session, (hidden.get(session) ?? 0) + count)
      },
    })
    if (result === 'imported') {
      this.totals.files++
      const { agent } = owner.importer
      this.#deps.listener?.({
        ...written,
        type: 'import-file',
        file: facts.path,
        agent,
        sessions: [...written.sessions],
      })
    }
    // A user who named the agent is told each time, others only when there was something new.
    if (owner.notice !== undefined && (this.#isAgentNamed || result === 'imported')) skips.add(owner.notice)
  }

  /** Tells the listener when a long line begins or ends to be read; nothing if that is so already. */
  #announceBusy(isBusy: boolean): void {
    if (isBusy !== this.#isBusy) this.#deps.listener?.({ type: 'import-busy', isBusy })
    this.#isBusy = isBusy
  }

  /** Adds a committed batch to the totals. */
  #count(counts: ImportCounts): void {
    this.totals.commits++
    this.totals.sessions += counts.newSessions
    this.totals.messages += counts.newMessages
    this.totals.requests += counts.newRequests
  }

  /** Tells the listener how much is done, in files and bytes. */
  #announceProgress(facts: FileFacts, bytesOfFile: number): void {
    this.#deps.listener?.({
      type: 'import-progress',
      file: facts.path,
      filesDone: this.#filesDone,
      files: this.#files,
      bytesDone: this.#bytesDone + Math.min(bytesOfFile, facts.size),
      bytes: this.#bytes,
    })
  }
}

/** Throws `invalid-input` for options of the wrong type. A missing option is fine, but for the environment. */
const assertOptions = (options: ImportOptions): void => {
  assertObject(options, 'What is imported')
  assertObject(options.environment, 'The environment of an import')
  assertName(options.environment.home, 'The home folder of an import')
  assertObject(options.environment.variables, 'The environment variables of an import')
  assertTextOrAbsent(options.agent, 'The agent whose transcripts are imported')
  const { from, changed, exclude } = options
  if (from !== undefined && !isListOfTexts(from)) throw invalidInput('The places of an import', 'a list of paths', from)
  if (exclude !== undefined && !isListOfTexts(exclude))
    throw invalidInput('The agents that an import leaves out', 'a list of names', exclude)
  if (changed !== undefined && !isListOfTexts(changed))
    throw invalidInput('The changed files of an import', 'a list of paths', changed)
}
