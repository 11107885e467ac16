// How a name in kebab case is written elsewhere.

/**
 * `idleTime` of `idle-time`.
 * @param {string} name in kebab case
 */
export const camelCase = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())

/**
 * `IdleTime` of `idle-time`.
 * @param {string} name in kebab case
 */
export const pascalCase = (name) => camelCase(name).replace(/^./, (letter) => letter.toUpperCase())

/**
 * `Idle time` of `idle-time`.
 * @param {string} name in kebab case
 */
export const sentenceCase = (name) => name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())

/**
 * Puts text into a file before the first match of a pattern. Throws where the file is missing or nothing in it matches.
 * @param {import('@nx/devkit').Tree} tree
 * @param {string} path
 * @param {RegExp} before
 * @param {string} text
 */
export function insertBefore(tree, path, before, text) {
  const content = tree.read(path, 'utf8')
  if (content === null) throw new Error(`${path} is not there; run the generator in the repository's root.`)
  const found = before.exec(content)
  if (found === null) throw new Error(`${path} has no line that matches ${before}; add "${text.trim()}" by hand.`)
  tree.write(path, content.slice(0, found.index) + text + content.slice(found.index))
}

/**
 * Throws for a path that is in the tree already, so that a generator overwrites nothing.
 * @param {import('@nx/devkit').Tree} tree
 * @param {string} path
 */
export function refuseExisting(tree, path) {
  if (tree.exists(path)) throw new Error(`${path} exists already; nothing was written.`)
}
