/** Which file a path means, and whose transcript it is: by its name first, then by its first lines. */
import { CairnError } from '../errors.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { Importer } from './importer.ts'
import { sniffImporter } from './sniff.ts'

export interface TranscriptFile {
  readonly facts: FileFacts
  readonly importer: Importer
}

type Files = Pick<FileSystem, 'stat' | 'list' | 'read'>

/** File names that a transcript could have. */
const POSSIBLE = /\.(?:jsonl|ndjson|json)(?:\.gz)?$/i
/** Cline, Roo and Kilo keep a task in two files; the messages stand in the first. */
const HISTORY = 'api_conversation_history.json'
const DISPLAY = /^(?:ui_messages|claude_messages)\.json$/
/** How many candidates a sentence names, and how many files of a folder are looked into. */
const NAMED = 3
const LOOKED_INTO = 200

/**
 * The transcript that a path means: the file, or the only one in the folder; of a task of Cline, Roo or Kilo always
 * the file with its messages. Rejects with a CairnError where there is none, or more than one.
 */
export const transcriptFileOf = async (
  path: string,
  candidates: readonly Importer[],
  files: Files,
): Promise<TranscriptFile> => {
  const facts = await files.stat(path)
  if (facts === undefined) throw new CairnError('not-found', `There is no file ${path}.`)
  if (facts.kind === 'directory') return onlyOneIn(path, candidates, files)
  const meant = DISPLAY.test(nameOf(path)) ? ((await historyBeside(path, files)) ?? facts) : facts
  const importer = await importerFor(meant, candidates, files)
  if (typeof importer === 'string')
    throw new CairnError('invalid-input', `${path} is no transcript that can be read: ${importer}.`)
  return { facts: meant, importer }
}

const nameOf = (path: string): string => path.split(/[/\\]/).at(-1) ?? path

const historyBeside = async (path: string, files: Files): Promise<FileFacts | undefined> => {
  const beside = await files.stat(`${path.slice(0, path.length - nameOf(path).length)}${HISTORY}`)
  return beside?.kind === 'file' ? beside : undefined
}

const importerFor = async (
  facts: FileFacts,
  candidates: readonly Importer[],
  files: Files,
): Promise<Importer | string> =>
  candidates.find((importer) => importer.recognise(facts.path, candidates.length === 1) === 'transcript') ??
  sniffImporter(facts, candidates, files)

const onlyOneIn = async (folder: string, candidates: readonly Importer[], files: Files): Promise<TranscriptFile> => {
  const entries = (await files.list(folder)).filter(
    ({ kind, path, size }) => kind === 'file' && size > 0 && POSSIBLE.test(path),
  )
  const hasHistory = entries.some(({ path }) => nameOf(path) === HISTORY)
  const found: TranscriptFile[] = []
  for (const facts of entries.slice(0, LOOKED_INTO)) {
    if (hasHistory && DISPLAY.test(nameOf(facts.path))) continue
    const importer = await importerIn(facts, candidates, files)
    if (importer !== undefined) found.push({ facts, importer })
    if (found.length > NAMED) break
  }
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  const names = found.slice(0, NAMED).map(({ facts }) => nameOf(facts.path))
  throw new CairnError(
    'invalid-input',
    first === undefined
      ? `${folder} is a folder with no transcript in it; name a transcript file, or the folder of one task.`
      : `${folder} is a folder with several transcripts; name one of them: ${names.join(', ')}${found.length > NAMED ? ', …' : ''}.`,
  )
}

/** What belongs to an agent and holds no transcript is not looked into, and what can't be read is not meant. */
const importerIn = async (
  facts: FileFacts,
  candidates: readonly Importer[],
  files: Files,
): Promise<Importer | undefined> => {
  const isSidecar =
    candidates.every((importer) => importer.recognise(facts.path) !== 'transcript') &&
    candidates.some((importer) => importer.recognise(facts.path) === 'sidecar')
  if (isSidecar) return undefined
  const importer = await importerFor(facts, candidates, files).catch(() => undefined)
  return typeof importer === 'string' ? undefined : importer
}
