/** Refuses folders that must not be captured. */

/** Folders by path: absolute, with links resolved. */
export interface RootFacts {
  readonly root: string
  /** Whether the root is the top of a git repository: then it is a project, even if it contains a home folder. */
  readonly isRepository: boolean
  readonly home: string
  readonly dataFolder: string
}

/** The path with `/` for `\` and one at its end. */
const withSlash = (path: string): string => {
  const plain = path.replaceAll('\\', '/')
  return plain.endsWith('/') ? plain : `${plain}/`
}

/** Whether a path equals another one or is inside it, by text. */
const contains = (outer: string, inner: string): boolean => withSlash(inner).startsWith(withSlash(outer))

/**
 * Why a folder is refused, as the end of a sentence: the disk's root, the home folder, a parent of it (unless it is a
 * repository), or Cairn's data folder or a folder inside it. Undefined if it may be captured. Paths are absolute, with
 * links resolved.
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
