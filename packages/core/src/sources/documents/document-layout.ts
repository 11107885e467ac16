/** Which context documents there are, and where they lie: the files of a "memory bank" that agents read at the start of a task. */
import { CairnError } from '../../errors.ts'
import { echoed } from '../../input.ts'

/** The ids of the documents, in the order in which they are listed. */
export const DOCUMENTS = [
  'projectbrief',
  'productContext',
  'activeContext',
  'systemPatterns',
  'techContext',
  'progress',
] as const
export type DocumentId = (typeof DOCUMENTS)[number]

/** Where a project keeps its documents: one folder, and a file name for each document. */
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

/** The parts of a layout to change; what is absent stays as it is. */
export interface LayoutChange {
  readonly folder?: string
  readonly names?: Readonly<Partial<Record<DocumentId, string>>>
}

const LONGEST = 200

/**
 * Returns the layout with the changes applied, its folder written with `/` and without one at the end.
 * @throws CairnError `usage` if the folder is not below the project, a name is not that of a Markdown file, either is
 * longer than 200 characters, or two documents share a name (ignoring case)
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

/**
 * Returns the layout in a stored value. Unknown documents are ignored; documents without a name keep the default one.
 * Returns the whole default layout if the value is not a layout or holds a name that can't be used. Never throws.
 */
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

/** Whether a word is the id of a document; case matters. */
export const isDocumentId = (word: string): word is DocumentId => DOCUMENTS.some((id) => id === word)
