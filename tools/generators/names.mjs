// How a name in kebab case is written elsewhere.

/** @param {string} name */
export const camelCase = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())

/** @param {string} name */
export const pascalCase = (name) => camelCase(name).replace(/^./, (letter) => letter.toUpperCase())

/** @param {string} name */
export const sentenceCase = (name) => name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())

/**
 * Puts text into a file before the first match of a pattern.
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
 * @param {import('@nx/devkit').Tree} tree
 * @param {string} path
 */
export function refuseExisting(tree, path) {
  if (tree.exists(path)) throw new Error(`${path} exists already; nothing was written.`)
}
