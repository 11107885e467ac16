/** The imports of a watch: all that is there at its start, then what has changed. */
import type { Engine } from '../../engine.ts'
import type { EngineEvent } from '../../events.ts'
import { LEFT_TO_ANOTHER, isUnfinished } from '../../importers/index.ts'
import type { ImportOptions, ImportReport } from '../../importers/index.ts'
import type { NanoUsd } from '../../money.ts'
import type { Untaken } from '../../watching/follow.ts'
import type { WatchListener, WatchedImport } from './watch-events.ts'

export interface WatchImports {
  /** Imports everything that is there; `untaken` are files that could not be taken now and are to be tried again. */
  all(): Promise<{ readonly report: ImportReport; readonly untaken: Untaken }>
  /** Imports changed files, and tells the listener of each. Files that another import is reading are given back. */
  changed(paths: readonly string[]): Promise<Untaken>
}

type WatchedAgents = Pick<ImportOptions, 'from' | 'agent' | 'exclude' | 'environment'>

/**
 * Imports for a watcher that share one engine, one listener and one signal. Both methods give back what is to be tried
 * again, by when: files that another import is reading, that were just written, or that could not be read. Both reject
 * with the signal's reason once it is aborted. `all` imports everything and tells the listener of no import; `changed`
 * only the named transcripts, and tells of each that brought something, and of each that was skipped for good.
 */
export const createWatchImports = (
  engine: Engine,
  { from, agent, exclude, environment }: WatchedAgents,
  listener: WatchListener,
  signal: AbortSignal,
): WatchImports => {
  const costs = createSessionCosts(engine)
  const request: ImportOptions = {
    environment,
    ...(from === undefined ? {} : { from }),
    ...(agent === undefined ? {} : { agent }),
    ...(exclude === undefined ? {} : { exclude }),
  }
  /** Imports once: the report, what was told of each file, and those that were not taken in, by when to try again. */
  const run = async (options: ImportOptions) => {
    const unread: string[] = []
    const unsettled: string[] = []
    const files: Extract<EngineEvent, { type: 'import-file' }>[] = []
    const listen = (event: EngineEvent): void => {
      if (event.type === 'import-busy') listener({ type: 'busy', isBusy: event.isBusy })
      else if (event.type === 'import-unread') unread.push(event.file)
      else if (event.type === 'import-unsettled') unsettled.push(event.file)
      else if (event.type === 'import-file') files.push(event)
    }
    const report = await engine.imports.run(options, listen, signal)
    const again = report.skipped.filter(({ reason }) => reason === LEFT_TO_ANOTHER).map(({ file }) => file)
    return { report, files, untaken: { again, later: unsettled, unread } }
  }
  return {
    all: async () => {
      const { report, untaken } = await run(request)
      await costs.load()
      return { report, untaken }
    },
    /**
     * Imports these transcripts, tells the listener of each that brought something, and of what was skipped for good.
     */
    changed: async (changed) => {
      const { report, files, untaken } = await run({ ...request, changed })
      for (const { type: _, ...file } of files) {
        const { workspace, costNano } = await costs.grown(file.sessions)
        const isNew = file.newSessions + file.newMessages + file.newRequests > 0 || costNano !== 0n
        if (isNew) listener({ type: 'import', import: { ...file, workspace, costNano } })
      }
      for (const skip of report.skipped) if (!isUnfinished(skip.reason)) listener({ type: 'skip', skip })
      return untaken
    },
  }
}

const PAGE = 500

/**
 * What sessions have cost so far. `load` takes the costs of all; `grown` gives by how much the given ones have grown
 * since `load` or the last call (all of the cost of one not known before), and the workspace of the last of them.
 */
const createSessionCosts = (engine: Engine) => {
  const known = new Map<string, NanoUsd>()
  return {
    /** Takes what all sessions have cost so far, as what `grown` begins from. */
    load: async (): Promise<void> => {
      for (let offset = 0; ; offset += PAGE) {
        const { sessions } = await engine.store.sessions.list({ limit: PAGE, offset, sort: 'started' })
        for (const { id, costNano } of sessions) known.set(id, costNano)
        if (sessions.length < PAGE) return
      }
    },
    /** By how much these sessions' cost has grown since the last look, and the last one's folder. */
    grown: async (ids: readonly string[]): Promise<Pick<WatchedImport, 'workspace' | 'costNano'>> => {
      let costNano = 0n
      let workspace: string | null = null
      for (const id of ids) {
        const session = await engine.store.sessions.get(id)
        if (session === undefined) continue
        costNano += session.costNano - (known.get(id) ?? 0n)
        known.set(id, session.costNano)
        workspace = session.workspace
      }
      return { workspace, costNano }
    },
  }
}
