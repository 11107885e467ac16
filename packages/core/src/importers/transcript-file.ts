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
const POSSIBLE = /\.(?:jsonl|ndjson|json)(?:\.gz|\.zst)?$/i
/** Cline, Roo and Kilo keep a task in two files; the messages are in the first. */
const HISTORY = 'api_conversation_history.json'
const DISPLAY = /^(?:ui_messages|claude_messages)\.json$/
/** How many candidates a sentence names; how many files are looked into, and how many folders looked through. */
const NAMED = 3
const LOOKED_INTO = 1000
const LOOKED_THROUGH = 2000

/**
 * The transcript that a path means, with its importer among `candidates`: the file, or the only one in the folder and
 * those below it; of a task of Cline, Roo or Kilo always the file with its messages. Rejects with CairnError
 * `not-found` for no such path, `invalid-input` for no transcript, several, or too large a folder.
 */
export const findTranscriptFile = async (
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

/** The file with the messages beside one for display; undefined where there is none. */
const historyBeside = async (path: string, files: Files): Promise<FileFacts | undefined> => {
  const beside = await files.stat(`${path.slice(0, path.length - nameOf(path).length)}${HISTORY}`)
  return beside?.kind === 'file' ? beside : undefined
}

/** The importer of a file, by its path, else by its lines; where there is none, the reason as a text. */
const importerFor = async (
  facts: FileFacts,
  candidates: readonly Importer[],
  files: Files,
): Promise<Importer | string> =>
  candidates.find((importer) => importer.recognise(facts.path, candidates.length === 1) === 'transcript') ??
  sniffImporter(facts, candidates, files)

/**
 * The one transcript in a folder and those below it; rejects with `invalid-input` where there is none or several, or
 * too much to look through.
 */
const onlyOneIn = async (folder: string, candidates: readonly Importer[], files: Files): Promise<TranscriptFile> => {
  const { found, isComplete } = await transcriptsIn(folder, candidates, files)
  const [first] = found
  if (first !== undefined && found.length === 1 && isComplete) return first
  const names = found.slice(0, NAMED).map(({ facts }) => facts.path.slice(folder.length).replace(/^[/\\]+/, ''))
  if (found.length > 1)
    throw new CairnError(
      'invalid-input',
      `${folder} is a folder with several transcripts; name one of them: ${names.join(', ')}${found.length > NAMED ? ', …' : ''}.`,
    )
  throw new CairnError(
    'invalid-input',
    isComplete
      ? `${folder} is a folder with no transcript in it; name a transcript file, or the folder of one task.`
      : `${folder} is a folder with too much in it to look for a transcript; name the file.`,
  )
}

/**
 * The transcripts in a folder and those below it, the nearest first. `isComplete` is false where looking ended early:
 * with the fourth that is found, or after 1000 files or 2000 folders. Subagents' folders and links are passed over.
 * Rejects if the first folder can't be read; one below it is passed over.
 */
const transcriptsIn = async (
  top: string,
  candidates: readonly Importer[],
  files: Files,
): Promise<{ readonly found: readonly TranscriptFile[]; readonly isComplete: boolean }> => {
  const folders = [top]
  const found: TranscriptFile[] = []
  let lookedInto = 0
  for (const folder of folders) {
    const entries = await files.list(folder).catch((error: unknown) => {
      // A folder further down that can't be read is not meant.
      if (folder === top) throw error
      return []
    })
    const hasHistory = entries.some(({ path }) => nameOf(path) === HISTORY)
    const possible = entries.filter(({ kind, path, size }) => kind === 'file' && size > 0 && POSSIBLE.test(path))
    const parents = new Set<string>()
    for (const facts of possible) {
      if (hasHistory && DISPLAY.test(nameOf(facts.path))) continue
      lookedInto += 1
      if (lookedInto > LOOKED_INTO) return { found, isComplete: false }
      const importer = await importerIn(facts, candidates, files)
      if (importer === undefined) continue
      found.push({ facts, importer })
      parents.add(facts.path.replace(POSSIBLE, ''))
      if (found.length > NAMED) return { found, isComplete: false }
    }
    if (hasHistory) continue
    // A folder with the name of a transcript next to it holds that transcript's subagents. Links may lead in a circle.
    const below = entries.filter(
      ({ kind, path, isLink }) => kind === 'directory' && isLink !== true && !parents.has(path),
    )
    if (folders.length + below.length > LOOKED_THROUGH) return { found, isComplete: false }
    folders.push(...below.map(({ path }) => path))
  }
  return { found, isComplete: true }
}

/**
 * The importer of a file in a folder; undefined for a sidecar, which is not read, for what can't be read, and for what
 * no importer takes.
 */
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
