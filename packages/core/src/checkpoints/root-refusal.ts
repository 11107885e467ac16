/** Folders of which no checkpoint is made. */

/** Folders by their paths, all absolute and without links. */
export interface RootFacts {
  readonly root: string
  /** Whether the root is the top of a git repository: then it is a project, even one that a home folder lies in. */
  readonly isRepository: boolean
  readonly home: string
  readonly dataFolder: string
}

const withSlash = (path: string): string => {
  const plain = path.replaceAll('\\', '/')
  return plain.endsWith('/') ? plain : `${plain}/`
}

/** Whether a path is another one or lies in it, by text. */
const contains = (outer: string, inner: string): boolean => withSlash(inner).startsWith(withSlash(outer))

/**
 * Why a folder is refused, as the end of a sentence: the disk's root, the home folder, one that holds it (unless it is
 * a repository), or one that Cairn's data lies in or is. Undefined for one that may be captured. Paths are absolute,
 * without links.
 */
export const rootRefusal = ({ root, isRepository, home, dataFolder }: RootFacts): string | undefined => {
  if (
    withSlash(root)
      .split('/')
      .filter((name) => name !== '' && !/^[A-Za-z]:$/.test(name)).length === 0
  )
    return 'it is the root of the disk'
  if (withSlash(root) === withSlash(home)) return 'it is your home folder'
  if (!isRepository && contains(root, home)) return 'your home folder lies in it'
  if (contains(dataFolder, root)) return 'it is Cairn’s own folder'
  return undefined
}
