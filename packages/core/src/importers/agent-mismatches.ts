/** Whether a file holds anything of the format that the user named: a wrong name must leave nothing in the store. */
import type { ImportSkip } from '../events.ts'
import { parseJson } from '../json.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import { unpackingOf } from './import-cursor.ts'
import type { FileParser, Importer, LineContext } from './importer.ts'
import { trimNuls } from './line-values.ts'
import { splitLines } from './lines.ts'
import { IMPORTERS } from './registry.ts'
import { NOT_TEXT_REASONS } from './text-chunks.ts'
import { createSkipCollector } from './skips.ts'
import { ONE_DOCUMENT, sniffImporter } from './sniff.ts'
import { isUnsupported } from './unsupported-agents.ts'

/** Nothing that is read here is stored, so ids need not differ. */
const NO_DIGESTS = { sha256: () => '' }

/**
 * What speaks against taking a file for the named importer's: the reason first, then what is wrong with its lines.
 * Empty where the file's beginning is the importer's. One that begins as another agent's is a mismatch whatever
 * follows; one of no known format is read on until a line is the importer's. An empty file is a mismatch, too. Rejects
 * when the file can't be read. `file` is the file's path, `count` 1 for the reason.
 */
export const agentMismatches = async (
  importer: Importer,
  facts: FileFacts,
  fileSystem: Pick<FileSystem, 'read'>,
): Promise<readonly ImportSkip[]> => {
  const looks = await sniffImporter(facts, [importer], fileSystem)
  if (typeof looks !== 'string') return []
  const nothing = `holds nothing of ${importer.agent}`
  const row = (reason: string): ImportSkip => ({ file: facts.path, reason, count: 1 })
  const other = await sniffImporter(facts, IMPORTERS, fileSystem)
  if (typeof other !== 'string')
    return [row(`${nothing}, but looks like ${other.agent}; without --agent its format is found out`)]
  if (isUnsupported(other)) return [row(`${nothing}: ${other}`)]
  if (NOT_TEXT_REASONS.has(looks)) return [row(looks)]
  if (importer.format(facts.path) !== 'lines' || ONE_DOCUMENT.test(facts.path)) return [row(nothing)]
  const wrong = await wrongLines(importer, facts, fileSystem, nothing)
  return wrong ?? []
}

/**
 * The reason and what the importer says against each line, as rows of skips; undefined once a line gives it an entry.
 * Lines that are blank or say nothing are passed over.
 */
const wrongLines = async (
  importer: Importer,
  { path }: FileFacts,
  fileSystem: Pick<FileSystem, 'read'>,
  reason: string,
): Promise<readonly ImportSkip[] | undefined> => {
  const parser = importer.parser({ path, hasher: NO_DIGESTS })
  const decoder = new TextDecoder()
  const skips = createSkipCollector(path)
  skips.add(reason)
  for await (const items of splitLines(fileSystem.read(path, 0, unpackingOf(path)))) {
    for (const { bytes, number, problem } of items) {
      const text = problem === 'too-long' ? '' : decoder.decode(bytes)
      if (text.trim() === '') continue
      const found = entriesOf(parser, importer, text, { number, identity: () => String(number) })
      if (found === 'some') return undefined
      if (found !== 'none') skips.add(found, number)
    }
  }
  return skips.rows()
}

/**
 * `some` if the line gives entries or has the importer's form, `none` if it gives none and nothing is wrong with it,
 * otherwise what is wrong.
 */
const entriesOf = (parser: FileParser, importer: Importer, text: string, context: LineContext): string => {
  const parsed = parseJson(trimNuls(text))
  if (parsed === undefined) return 'not valid JSON'
  try {
    const { entries, skip } = parser.parse(parsed.value, context)
    return entries.length > 0 || importer.sniff(parsed.value) ? 'some' : (skip ?? 'none')
  } catch {
    return 'not understood'
  }
}
