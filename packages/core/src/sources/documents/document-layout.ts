/** Which context documents there are, and where they lie: the files of a "memory bank" that agents read at the start of a task. */
import { CairnError } from '../../errors.ts'
import { echoed } from '../../input.ts'

export const DOCUMENTS = [
  'projectbrief',
  'productContext',
  'activeContext',
  'systemPatterns',
  'techContext',
  'progress',
] as const
export type DocumentId = (typeof DOCUMENTS)[number]

export interface DocumentLayout {
  /** Relative to the project, with `/`. */
  readonly folder: string
  /** The file of each document in the folder. */
  readonly names: Readonly<Record<DocumentId, string>>
}

export const DEFAULT_LAYOUT: DocumentLayout = {
  folder: 'memory-bank',
  names: {
    projectbrief: 'projectbrief.md',
    productContext: 'productContext.md',
    activeContext: 'activeContext.md',
    systemPatterns: 'systemPatterns.md',
    techContext: 'techContext.md',
    progress: 'progress.md',
  },
}

/** What is changed of a layout. */
export interface LayoutChange {
  readonly folder?: string
  readonly names?: Readonly<Partial<Record<DocumentId, string>>>
}

const LONGEST = 200

/**
 * The layout with changes.
 * @throws CairnError `usage` for a folder that is not below the project, a name that is no Markdown file's, and one name for two
 */
export const changedLayout = (
  layout: DocumentLayout,
  { folder = layout.folder, names = {} }: LayoutChange,
): DocumentLayout => {
  const parts = folder.replaceAll('\\', '/').replace(/\/+$/, '').split('/')
  const isBelow = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/^\.git$/i.test(part))
  if (!isBelow || /^[a-z]:/i.test(folder) || /\p{Cc}/u.test(folder) || folder.length > LONGEST)
    throw new CairnError(
      'usage',
      `The documents have to lie in a folder of the project, named from there, such as memory-bank, not "${echoed(folder)}".`,
    )
  const all = { ...layout.names, ...names }
  for (const name of Object.values(all))
    if (!/^[^./\\:\p{Cc}][^/\\:\p{Cc}]*\.md$/u.test(name) || name.length > LONGEST)
      throw new CairnError(
        'usage',
        `A document is the name of a Markdown file, such as brief.md, not "${echoed(name)}".`,
      )
  const double = Object.values(all).find(
    (name, index, every) => every.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index,
  )
  if (double !== undefined) throw new CairnError('usage', `Two documents can't be in the same file, ${echoed(double)}.`)
  return { folder: parts.join('/'), names: all }
}

/** The layout in a stored value; the default where it is none, or holds a name that can't be used. Never throws. */
export const layoutFrom = (value: unknown): DocumentLayout => {
  if (typeof value !== 'object' || value === null || !('folder' in value) || !('names' in value)) return DEFAULT_LAYOUT
  const { folder, names } = value
  if (typeof folder !== 'string' || typeof names !== 'object' || names === null) return DEFAULT_LAYOUT
  const known = Object.entries(names).filter(
    (entry): entry is [DocumentId, string] => isDocumentId(entry[0]) && typeof entry[1] === 'string',
  )
  try {
    return changedLayout(DEFAULT_LAYOUT, { folder, names: Object.fromEntries(known) })
  } catch {
    return DEFAULT_LAYOUT
  }
}

/** Whether a word names a document; letter case counts. */
export const isDocumentId = (word: string): word is DocumentId => DOCUMENTS.some((id) => id === word)
