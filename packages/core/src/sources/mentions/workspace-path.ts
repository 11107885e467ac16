/** A path as a person writes it, as a path below a workspace. */

export type WorkspacePath =
  | { readonly path: string; readonly isFolder: boolean }
  /** It leads out of the workspace, or may do so: `path` is what to try inside, for a path that begins with `/`. */
  | { readonly outside: true; readonly path?: string; readonly isFolder?: boolean }

/**
 * Returns a path relative to the workspace's roots, with `/` between names and `.` and `..` resolved; the workspace
 * itself is ''. With several roots the path starts with the root's folder name. Returns `outside` for a path that
 * leaves the workspace; one that starts with `/` comes with a `path` to try inside.
 * @param roots absolute
 */
export const workspacePath = (given: string, roots: readonly string[]): WorkspacePath => {
  const slashes = given.includes('/') ? given : given.replaceAll('\\', '/')
  const root = roots.find((folder) => isBelow(slashes, folder))
  if (root !== undefined) {
    const prefix = roots.length > 1 ? `${root.split(/[/\\]/).at(-1) ?? ''}/` : ''
    return below(prefix + slashes.slice(root.length).replace(/^\/+/, ''))
  }
  if (/^~(?:\/|$)|^[A-Za-z]:\//.test(slashes)) return { outside: true }
  if (!slashes.startsWith('/')) return below(slashes)
  const inside = below(slashes.replace(/^\/+/, ''))
  return 'outside' in inside ? inside : { outside: true, ...inside }
}

/**
 * Whether a path with `/` is a folder or lies below it. False for an empty folder; case counts. `\` in the folder
 * counts as `/`.
 */
const isBelow = (path: string, folder: string): boolean => {
  const root = folder.replaceAll('\\', '/').replace(/\/+$/, '')
  return root !== '' && (path === root || path.startsWith(`${root}/`))
}

/** The path with `.` and `..` resolved; `outside` if it leaves the workspace. `isFolder`: it can only be a folder. */
const below = (path: string): WorkspacePath => {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) return { outside: true }
  }
  return { path: names.join('/'), isFolder: names.length === 0 || /(?:^|\/)(?:\.{1,2})?$/.test(path) }
}
