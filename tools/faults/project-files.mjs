// Folders of files for checkpoints: what they hold at each step, and what is really there.
import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FILES = 24

/** @typedef {ReadonlyMap<string, { text: string, mode: number }>} Tree by path */

/**
 * The files at a step: from one to the next some change, come, go, or get other permissions.
 * @param {string} name
 * @param {number} step
 * @returns {Tree}
 */
export function treeAt(name, step) {
  const files = new Map()
  for (let index = 0; index < FILES; index += 1) {
    if ((index + step) % 5 === 0) continue
    const folder = index % 3 === 0 ? '' : index % 3 === 1 ? 'src/' : `deep/er ${(index + step) % 2}/`
    const changes = index % 4 === 0 ? 0 : step
    const text = `${name} file ${index} at ${changes}\n${'a line of it\r\n'.repeat((index * 37 + changes * 11) % 900)}`
    files.set(`${folder}file ${index}.txt`, { text, mode: (index + step) % 7 === 0 ? 0o755 : 0o644 })
  }
  return files
}

/** Makes a folder hold exactly these files. Others in it go; folders that are left empty stay. */
export function writeTree(root, tree) {
  for (const path of filesIn(root).keys()) if (!tree.has(path)) rmSync(join(root, path))
  for (const [path, { text, mode }] of tree) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    chmodSync(join(root, path), mode)
  }
}

/**
 * The files that are in a folder. By path below it; links and folders are left out. None for an empty folder; throws
 * where there is none.
 * @returns {Tree}
 */
export function filesIn(root) {
  const files = new Map()
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const facts = lstatSync(join(root, name))
    if (facts.isFile()) files.set(name, { text: readFileSync(join(root, name), 'utf8'), mode: facts.mode & 0o777 })
  }
  return files
}

/**
 * How what is there differs; undefined: not at all. The first difference, as a sentence.
 * @param {Tree} found
 * @param {Tree} expected
 */
export function treeDifference(found, expected) {
  for (const [path, { text, mode }] of expected) {
    const file = found.get(path)
    if (file === undefined) return `"${path}" is missing`
    if (file.text !== text) return `"${path}" has other content`
    if (file.mode !== mode) return `"${path}" has permissions ${file.mode.toString(8)}`
  }
  for (const path of found.keys()) if (!expected.has(path)) return `"${path}" is there`
  return undefined
}
