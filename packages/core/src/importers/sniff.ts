/** Tells whose transcript a file is by its first lines. */
import { CairnError } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import { unpackingOf } from './import-cursor.ts'
import type { Importer } from './importer.ts'
import { trimNuls } from './line-values.ts'
import { splitLines, type SourceItem } from './lines.ts'
import { textChunks } from './text-chunks.ts'
import { skipReason } from './skips.ts'
import { HEAD_LENGTH, unsupportedAgent } from './unsupported-agents.ts'

/** How much is looked at: so many lines of JSON, lines of any kind, and bytes of lines that an import would take. */
const JSON_LINES = 20
const LINES = 200
const BYTES = 33 * 1024 * 1024
/** Said of files without content. */
export const EMPTY = 'empty'
/** Not read as lines, however many it has. */
export const ONE_DOCUMENT = /\.json(?:\.gz|\.zst)?$/i

/**
 * The importer whose lines the file holds, or, as a text, the reason why there is none. The first line that an importer
 * takes decides; only the beginning of the file is read. Lines that are damaged or too long are passed over. Rejects
 * when the file can't be read. A binary file is one of the reasons.
 */
export const sniffImporter = async (
  { path }: FileFacts,
  candidates: readonly Importer[],
  fileSystem: Pick<FileSystem, 'read'>,
): Promise<Importer | string> => {
  const look = createLook(candidates, path)
  const chunks = textChunks(fileSystem.read(path, 0, unpackingOf(path)), path)
  try {
    for await (const items of splitLines(chunks)) {
      // Nothing but empty lines: no transcript begins like that.
      if (items.length === 0) return look.outcome()
      for (const item of items) {
        const importer = look.at(item)
        if (importer !== undefined) return importer
        // A document is one line, and may be of any size.
        if (look.isEnough() || (item.problem === 'too-long' && ONE_DOCUMENT.test(path))) return look.outcome()
      }
    }
  } catch (error) {
    if (CairnError.is(error) && error.code === 'invalid-input') return unsupportedAgent(path) ?? skipReason(path, error)
    throw error
  }
  return look.outcome()
}

/**
 * Looks at one line after the other. `at` gives the importer that takes a line, undefined for none; `isEnough` says
 * that no more is worth looking at; `outcome` tells by what was seen: an importer, or why there is none.
 */
const createLook = (candidates: readonly Importer[], path: string) => {
  const decoder = new TextDecoder()
  let lines = 0
  let jsonLines = 0
  let bytes = 0
  /** A line that is JSON, begins like it, or can't be looked at because of its length. */
  let looksLikeJson = false
  let head = ''
  return {
    at: ({ bytes: line, problem }: SourceItem): Importer | undefined => {
      lines++
      bytes += line.length
      if (problem === 'too-long') {
        looksLikeJson = true
        return undefined
      }
      const text = trimNuls(decoder.decode(line))
      if (head.length < HEAD_LENGTH) head += `${text.slice(0, HEAD_LENGTH)}\n`
      const parsed = parseJson(text)
      looksLikeJson ||= parsed !== undefined || /^\s*[[{]/.test(text)
      if (parsed === undefined) return undefined
      jsonLines++
      return candidates.find((candidate) => candidate.sniff(parsed.value))
    },
    isEnough: (): boolean => jsonLines >= JSON_LINES || lines >= LINES || bytes >= BYTES,
    /** The importer of a document whose beginning is known, or why there is none. */
    outcome: (): Importer | string => {
      const known = candidates.find((each) => each.sniffDocument?.(head) === true)
      if (known !== undefined) return known
      const unsupported = unsupportedAgent(path, head)
      if (unsupported !== undefined) return unsupported
      if (looksLikeJson) return 'not a transcript of a known agent'
      // What is packed has a size all the same.
      return head.trim() === '' ? EMPTY : 'not JSON Lines'
    },
  }
}
