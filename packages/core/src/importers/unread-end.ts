/** The end of a file that could not be read: a line or a document that is not finished, or no document at all. */
import type { ImportedFile } from '../ports/import-storage.ts'
import { unpackState } from './cursor.ts'
import type { DocumentFormat } from './importer.ts'
import type { DocumentEnd } from './json-elements.ts'
import type { SkipCollector } from './skips.ts'

const NO_ARRAY = 'not a JSON array'
/** Why the last line was left out. */
export const OPEN_LINE = 'the last line is incomplete; it is tried again at the next import'
/** Why the end of a document was left out. */
export const OPEN_DOCUMENT = 'the document is incomplete; it is tried again at the next import'

/** How a document ended; one whose last element is incomplete is still open. */
export const endOf = (document: DocumentEnd, incompleteLine: number | undefined): DocumentEnd =>
  document === 'complete' && incompleteLine !== undefined ? 'open' : document

/** Names an end that could not be read; `line` is the incomplete one. */
export const nameUnreadEnd = (
  end: DocumentEnd,
  format: DocumentFormat,
  line: number | undefined,
  skips: SkipCollector,
): void => {
  if (end === 'no-array') skips.add(NO_ARRAY)
  else if (end === 'open' && format === 'lines') skips.add(OPEN_LINE, line)
  else if (end === 'open') skips.add(OPEN_DOCUMENT)
}

/** A file that was left with an unread end still has it when nothing has changed. */
export const nameIncomplete = (known: ImportedFile | undefined, format: DocumentFormat, skips: SkipCollector): void => {
  if (known === undefined) return
  const { end } = unpackState(known.cursor.parserState)
  nameUnreadEnd(end, format, known.cursor.line + 1, skips)
}
