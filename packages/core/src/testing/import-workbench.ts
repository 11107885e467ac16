/** For the import's tests: a folder of its own, a store in memory, and a file system that counts what is opened. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createFileSystem } from '../node/file-system.ts'
import { createHasher } from '../node/hasher.ts'
import type { EngineEvent } from '../events.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { ImportStorage } from '../ports/import-storage.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { Store } from '../ports/store.ts'
import { redact } from '../redaction/redact.ts'
import { createInMemoryStore } from '../in-memory/index.ts'
import { runImport, type ImportOptions, type ImportReport } from '../importers/run.ts'

export interface Workbench {
  readonly folder: string
  readonly store: Store
  /** Paths whose content was read, in order. */
  readonly opened: string[]
  readonly events: EngineEvent[]
  write(name: string, content: string | Uint8Array): string
  import(options?: WorkbenchOptions): Promise<ImportReport>
  /** Texts of a session's messages, in order. */
  texts(sessionId: string): Promise<readonly string[]>
  /** The source lines of a session as text. */
  source(sessionId: string): Promise<readonly string[]>
  end(): void
}

interface WorkbenchOptions {
  readonly from?: readonly string[]
  readonly agent?: string
  readonly exclude?: readonly string[]
  readonly changed?: readonly string[]
  readonly storage?: ImportStorage
  readonly fileSystem?: Partial<FileSystem>
  readonly signal?: AbortSignal
  /** Default: time stands still. */
  readonly clock?: Clock
  readonly home?: string
  /** Takes real secrets out instead of the word SECRET. */
  readonly redact?: boolean
}

/** Stands in for the redaction where a test wants to see that it was asked. */
const marked = (text: string) =>
  text.includes('SECRET') ? { text: text.replaceAll('SECRET', '[redacted:x]'), count: 1 } : { text, count: 0 }

/** Makes a workbench for imports: a temporary folder and an in-memory store; call `end` after the test. */
export const createWorkbench = (): Workbench => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-import-'))
  const store = createInMemoryStore()
  const opened: string[] = []
  const events: EngineEvent[] = []
  const fileSystem = observed(opened)
  return {
    folder,
    store,
    opened,
    events,
    write: (name, content) => {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    import: (options = {}) =>
      runImport(
        {
          storage: options.storage ?? store.imports,
          sessions: store.sessions,
          fileSystem: { ...fileSystem, ...options.fileSystem },
          hasher: createHasher(),
          clock: options.clock ?? { now: () => 1_000 },
          priceBook: async () => TEST_PRICES,
          redact: options.redact === true ? redact : marked,
          listener: (event) => events.push(event),
          signal: options.signal,
        },
        importOptions(folder, options),
      ),
    texts: async (sessionId) =>
      (await store.sessions.read(sessionId)).flatMap((entry) =>
        entry.kind === 'message' && entry.content[0]?.type === 'text' ? [entry.content[0].text] : [],
      ),
    source: async (sessionId) => {
      const lines: string[] = []
      for await (const { bytes } of store.sessions.sourceLines(sessionId)) lines.push(new TextDecoder().decode(bytes))
      return lines
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The machine's file system; writes the path of each file that is read into `opened`. */
const observed = (opened: string[]): FileSystem => {
  const files = createFileSystem()
  return {
    ...files,
    read: (path, offset, options) => {
      opened.push(path)
      return files.read(path, offset, options)
    },
  }
}

/** Only one model has a price: a nano-USD for each token of output. */
const TEST_PRICES: PriceBook = {
  cost: ({ model }, usage) => (model === 'known' ? BigInt(usage.outputTokens) : undefined),
  split: () => undefined,
}

/** From the workbench's folder, unless the test names files or a home folder with the agents' usual ones. */
const importOptions = (folder: string, { from, home, agent, exclude, changed }: WorkbenchOptions): ImportOptions => ({
  environment: { home: home ?? join(folder, 'home'), platform: 'linux', variables: {} },
  ...(from === undefined ? (home === undefined ? { from: [folder] } : {}) : { from }),
  ...(agent === undefined ? {} : { agent }),
  ...(exclude === undefined ? {} : { exclude }),
  ...(changed === undefined ? {} : { changed }),
})

/** A line of the generic format: a user's text in session `s`, without a time unless `more` says otherwise. */
export const generic = (text: string, more: object = {}): string =>
  JSON.stringify({ session: 's', at: null, role: 'user', text, ...more })
