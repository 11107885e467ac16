/** What a project tells every agent already: its instruction files. */
import type { FileSystem } from '../ports/file-system.ts'

/** The texts of the instruction files, and the files that could not be read. */
export interface Instructions {
  readonly texts: readonly string[]
  readonly unread: readonly string[]
}

const FILES = [
  'AGENTS.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  '.claude/CLAUDE.md',
  'GEMINI.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.roorules',
  'CONVENTIONS.md',
]
const FOLDERS = [
  '.cursor/rules',
  '.windsurf/rules',
  '.clinerules',
  '.claude/rules',
  '.roo/rules',
  '.github/instructions',
]
const MOST_IN_FOLDER = 100
/** Longer files are no instructions; they are named as unread. */
const LONGEST = 1_000_000

/**
 * Reads the instruction files of a folder that are there, in the order of `FILES` and `FOLDERS`; missing ones are
 * passed over, and the paths of those too large or unreadable are in `unread`. Never rejects.
 */
export const readInstructions = async (fileSystem: FileSystem, folder: string): Promise<Instructions> => {
  const texts: string[] = []
  const unread: string[] = []
  /**
   * Adds a file's text to `texts`, or its path to `unread` where it is too large or can't be read; nothing for a
   * missing file.
   */
  const read = async (path: string): Promise<void> => {
    try {
      const facts = await fileSystem.stat(path)
      if (facts?.kind !== 'file') return
      if (facts.size > LONGEST) unread.push(path)
      else texts.push((await fileSystem.readText(path)) ?? '')
    } catch {
      unread.push(path)
    }
  }
  for (const name of FILES) await read(`${folder}/${name}`)
  for (const name of FOLDERS)
    for (const path of await filesIn(fileSystem, `${folder}/${name}`, unread)) await read(path)
  return { texts, unread }
}

/**
 * The first 100 files directly in a folder; none where there is no folder. Where it can't be read, it is added to
 * `unread`.
 */
const filesIn = async (fileSystem: FileSystem, folder: string, unread: string[]): Promise<readonly string[]> => {
  try {
    if ((await fileSystem.stat(folder))?.kind !== 'directory') return []
    const found = await fileSystem.list(folder)
    return found.flatMap(({ path, kind }) => (kind === 'file' ? [path] : [])).slice(0, MOST_IN_FOLDER)
  } catch {
    unread.push(folder)
    return []
  }
}
