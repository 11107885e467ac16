/** A path as a person writes it, as a path below a workspace. */

export type WorkspacePath =
  | { readonly path: string; readonly isFolder: boolean }
  /** It leads out of the workspace, or may do so: `path` is what to try inside, for a path that begins with `/`. */
  | { readonly outside: true; readonly path?: string; readonly isFolder?: boolean }

/**
 * The path relative to the roots, with `/` between names; the whole workspace is ''. An absolute path is one below a root,
 * or is tried as one that begins at the workspace.
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

const isBelow = (path: string, folder: string): boolean => {
  const root = folder.replaceAll('\\', '/').replace(/\/+$/, '')
  return root !== '' && (path === root || path.startsWith(`${root}/`))
}

const below = (path: string): WorkspacePath => {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) return { outside: true }
  }
  return { path: names.join('/'), isFolder: names.length === 0 || /(?:^|\/)(?:\.{1,2})?$/.test(path) }
}
