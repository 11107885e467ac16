/** Reads on in a transcript that does not say yet in which folder its session works. */
import { CairnError } from '../errors.ts'
import type { FileFacts } from '../ports/file-system.ts'
import type { DocumentFormat, Importer } from './importer.ts'
import { withoutNewlyHidden, type BatchOutcome, type ParseDeps } from './parse-batch.ts'
import type { SourceItem } from './lines.ts'

type ParseBatch = (items: readonly SourceItem[]) => Promise<BatchOutcome>

/** The transcript that is read. */
interface Reading {
  readonly facts: FileFacts
  readonly importer: Importer
  readonly format: DocumentFormat
  readonly isPacked: boolean
  /** It is read on already: what is found is not kept. */
  readonly isLookAhead: boolean
}

/**
 * Wraps `parse`, which gives the same outcome; where it is not known yet in which folder a session works, the file is
 * first read on (`readOn`), once, without keeping anything, until it is: a folder that makes it incognito must do so
 * before its first line is kept, so its session is then left out. Only for transcripts of lines, of which more is left.
 * Transcripts name the folder in their first lines, so that hardly any is read twice.
 */
export const lookingAhead = (
  parse: ParseBatch,
  { facts, importer, format, isPacked, isLookAhead }: Reading,
  isHidden: ParseDeps['isHidden'],
  readOn: () => AsyncIterable<{ readonly outcome: BatchOutcome }>,
): ParseBatch => {
  let hasLooked = false
  return async (items) => {
    const outcome = await parse(items)
    const isRest = isPacked || (items.at(-1)?.endOffset ?? 0) < facts.size
    // What a document says of its folder stands in other files.
    if (!outcome.hasUnplaced || !isRest || hasLooked || isLookAhead || format !== 'lines') return outcome
    hasLooked = true
    await untilFolderKnown(readOn(), importer.workspaces === 'folder')
    return withoutNewlyHidden(outcome, isHidden ?? (() => false))
  }
}

/**
 * Reads batches until the folder of a file's only session is known (`isOneSession`), else to the end. Ends without an
 * error where the rest can't be read (`read-failed`); rejects as `batches` do for any other reason.
 */
const untilFolderKnown = async (
  batches: AsyncIterable<{ readonly outcome: BatchOutcome }>,
  isOneSession: boolean,
): Promise<void> => {
  try {
    for await (const { outcome } of batches) if (isOneSession && !outcome.hasUnplaced) return
  } catch (error) {
    // What stands before a damaged part is taken in; the reading that keeps it comes to the damage, and says so.
    if (!CairnError.is(error) || error.code !== 'read-failed') throw error
  }
}
