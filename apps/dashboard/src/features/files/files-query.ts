/** Asks the store, and the disk, what the table of a session's files shows. */
import { comparedFiles, createEngine } from '@cairn/core'
import type { FileWarning, ModelUse, SessionSummary, Store } from '@cairn/core'
import { KNOWN_FILES_KEY, parseKnownFiles } from '@cairn/core/hooks'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { lastPage } from '../../components/pager.tsx'
import type { Order } from '../../components/sorting.ts'
import { createFilesLogs } from './files-log.ts'
import { fileRows, fileTotals, sortedFiles, stateOf } from './files-view.ts'
import type { FileRow, FileTotals } from './files-view.ts'
import { FEW_FILES, MOST_FILES } from './sorts.ts'
import type { FileSort, FileStateChoice } from './sorts.ts'

/** Which of a session's files are asked for. */
export interface FilesQuery {
  readonly sort: FileSort
  readonly order: Order
  readonly state: FileStateChoice
  /** From 1; past the last one means the last. */
  readonly page: number
  /** False: pages of {@link FEW_FILES}; true: of {@link MOST_FILES}. */
  readonly isAll: boolean
}

/** How many files of the context were compared with the disk. */
interface Compared {
  readonly files: number
  /** Whose content is in the context. */
  readonly of: number
}

/** A page of a session's files. */
export interface FilesAnswer {
  /** The session's folder, which paths are relative to; null if it is not known. */
  readonly folder: string | null
  /** Of the page, in order. */
  readonly rows: readonly FileRow[]
  readonly page: number
  readonly rowsOfPage: number
  /** Of all pages. */
  readonly total: FileTotals
  /** Of all files of the session, whatever state was asked for. */
  readonly states: Readonly<Record<FileStateChoice, number>>
  readonly all: FileTotals
  readonly compared: Compared
  /** The newest, in the order of the log. */
  readonly models: readonly ModelUse[]
  readonly olderModels: number
  /** What somebody else changed, and the agent was not told yet. */
  readonly warnings: readonly FileWarning[]
}

/** Changes of the model that are named. */
const MOST_MODELS = 12

const hasher = createHasher()
const fileSystem = createFileSystem()
const clock = createSystemClock()
const ids = createIds(clock)
/** Loads what reads git's records, on its first use. */
const git = async () => (await import('@cairn/core/node/watching')).createGitRecords()
const logOf = createFilesLogs(hasher)

/**
 * Returns all files of a session, compared with the disk, and the models that its log names. Rejects as the store does.
 * `compared.files` counts those compared with the disk, `compared.of` those not removed.
 */
export const sessionFileRows = async (
  store: Pick<Store, 'sessions' | 'search' | 'state'>,
  session: SessionSummary,
): Promise<Pick<FilesAnswer, 'compared' | 'models'> & { readonly rows: readonly FileRow[] }> => {
  const log = await logOf(store.sessions, session)
  const logged = new Map(log.files.map((file) => [file.path, file]))
  const known = await store.state.get({ tier: 'session', sessionId: session.id }, KNOWN_FILES_KEY)
  const found = await comparedFiles(
    { store, fileSystem, hasher, git },
    {
      sessionId: session.id,
      workspace: session.workspace,
      files: log.files,
      lastKnown: (path) => log.lastKnown.get(path) ?? { at: null, content: undefined },
      commands: log.commands,
    },
    parseKnownFiles(known),
  )
  const files = found.map((file) => {
    const { changers = [], lastUses = {} } = logged.get(file.path) ?? {}
    return { ...file, changers, lastUses }
  })
  const compared = {
    files: files.filter(({ disk }) => disk !== null).length,
    of: files.filter(({ state }) => state !== 'removed').length,
  }
  return { rows: fileRows(files, log.activity), compared, models: log.models }
}

/**
 * Returns a page of a session's files, sorted and in one state, with the totals of that state. Reads the disk to
 * compare. Rejects as the store does. A page past the last is the last. Of the models only the newest are given,
 * `olderModels` counts the others.
 */
export const sessionFiles = async (store: Store, session: SessionSummary, query: FilesQuery): Promise<FilesAnswer> => {
  const { rows, compared, models } = await sessionFileRows(store, session)
  const chosen = sortedFiles(rows, query)
  const rowsOfPage = query.isAll ? MOST_FILES : FEW_FILES
  const page = Math.min(query.page, lastPage(rowsOfPage, chosen.length))
  const ofState = (state: FileStateChoice): number => rows.filter((row) => stateOf(row) === state).length
  const engine = createEngine({ store, fileSystem, hasher, clock, ids })
  return {
    folder: session.workspace,
    rows: chosen.slice((page - 1) * rowsOfPage, page * rowsOfPage),
    page,
    rowsOfPage,
    total: fileTotals(chosen),
    states: {
      all: rows.length,
      active: ofState('active'),
      stale: ofState('stale'),
      removed: ofState('removed'),
      failed: ofState('failed'),
    },
    all: fileTotals(rows),
    compared,
    models: models.slice(-MOST_MODELS),
    olderModels: Math.max(0, models.length - MOST_MODELS),
    warnings: await engine.files.warnings(session.id),
  }
}
