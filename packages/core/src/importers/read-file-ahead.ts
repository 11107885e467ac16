/** Reads and parses a file that was never imported, in a thread that has no store: see `ReadAhead`. */
import type { SourceRun, SessionBatch } from '../ports/import-storage.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { BatchFacts, FileAhead, FileEnd } from '../ports/read-ahead.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import { UNHEARD, readBatches, type ImportFileProgress, type ReadFileDeps } from './import-file.ts'
import { planImport } from './import-plan.ts'
import type { Importer } from './importer.ts'
import { createPauses } from './pauses.ts'
import { findImporter } from './registry.ts'
import { createSkipCollector } from './skips.ts'

/** What reading in a thread needs. */
export type ReadAheadDeps = Pick<ReadFileDeps, 'fileSystem' | 'hasher' | 'clock' | 'redact'>

/** A parsed batch: what is prepared of it, and the facts without the content of messages. */
export interface ParsedBatch {
  readonly sessions: readonly SessionBatch[]
  readonly source: readonly SourceRun[]
  readonly facts: BatchFacts
}

/**
 * Whether a file of this importer can be read by a thread: it needs neither the store, nor another program's database, to
 * know what a line means.
 */
export const canReadAhead = (importer: Importer, path: string): boolean =>
  importer.format(path) !== 'records' && importer.shared === undefined && importer.givesIds !== true

/** Prices are put in by whoever commits. */
const NO_PRICES: PriceBook = { cost: () => undefined, split: () => undefined }

/**
 * The batches of a file, and its end; undefined instead of an end where the rest is to be read with a store at hand: a
 * session's folder is not known yet, or a line is so long that it takes seconds. Rejects when the file can't be read. The
 * bytes of a batch are valid until the next one is asked for.
 */
export async function* readFileAhead(
  { facts, agent }: Pick<FileAhead, 'facts' | 'agent'>,
  deps: ReadAheadDeps,
): AsyncGenerator<ParsedBatch, FileEnd | undefined> {
  const plan = await planImport(facts, findImporter(agent), undefined, deps)
  const skips = createSkipCollector(facts.path)
  const seen = createSightings()
  const found = { isLarge: false }
  const progress: ImportFileProgress = { ...UNHEARD, onLarge: () => void (found.isLarge = true) }
  const reading = {
    ...deps,
    ...seen.checks,
    pauses: createPauses(deps.clock),
    priceBook: async () => NO_PRICES,
  }
  // Reads nothing twice: where a folder is not known, it ends here.
  for await (const { outcome, cursor } of readBatches({ ...plan, isLookAhead: true }, reading, skips, progress)) {
    if (found.isLarge || (outcome.hasUnplaced && plan.format === 'lines')) return undefined
    const { sessions, source, skips: left, wrongCosts } = outcome
    yield {
      sessions,
      source,
      facts: { sessions: sessions.map(withoutContent), skips: left, wrongCosts, cursor, ...seen.take() },
    }
  }
  return {
    skips: skips.rows().map(({ line, reason, count }) => ({ ...(line === undefined ? {} : { line }), reason, count })),
  }
}

const withoutContent = ({ session, writes }: SessionBatch): SessionBatch => ({
  session,
  writes: writes.map((write) =>
    write.entry.kind === 'message' ? { ...write, entry: { ...write.entry, content: [] } } : write,
  ),
})

/** Hides nothing, and notes what was asked about: the answers are had where the batch is committed. */
const createSightings = () => {
  let named = new Map<string, SessionFacts>()
  let folders = new Map<string, BatchFacts['folders'][number]>()
  return {
    checks: {
      isHidden: (session: SessionFacts): boolean => {
        named.set(`${session.externalId}\n${session.forkedFrom ?? ''}`, session)
        return false
      },
      isHiddenIn: async (session: SessionFacts, folder: string | undefined): Promise<boolean> => {
        folders.set(`${session.id}\n${folder ?? ''}`, { session, folder })
        return false
      },
    },
    take: (): Pick<BatchFacts, 'named' | 'folders'> => {
      const taken = { named: [...named.values()], folders: [...folders.values()] }
      named = new Map()
      folders = new Map()
      return taken
    },
  }
}
