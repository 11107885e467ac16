/** Ignore files of one name in every folder of a root, layered as git does: the nearest wins, and nothing below an ignored folder comes back. */
import { join } from 'node:path'
import { bytePathOf } from '../../checkpoints/byte-path.ts'
import { isIgnored } from '../../checkpoints/ignore-rules.ts'
import type { IgnoreFile } from '../../checkpoints/ignore-rules.ts'
import { readRules } from '../checkpoints/ignore-files.ts'

export interface LayeredIgnores {
  /** `path`: relative to the root, with `/`. */
  isLeftOut(path: string, isFolder: boolean): boolean
}

interface Layer {
  /** Of the folder and those above it, the strongest first. */
  readonly files: readonly IgnoreFile[]
  readonly isLeftOut: boolean
}

const ASCII = /^[\0-\x7f]*$/
const asBytes = (path: string): string => (ASCII.test(path) ? path : bytePathOf(path))

/**
 * The ignore files of a name (such as `.gitignore`) in all folders below a root, each read once, when it is first
 * needed. `base`: rules that come after those of all folders, the strongest first.
 */
export const layeredIgnores = (root: string, fileName: string, base: readonly IgnoreFile[] = []): LayeredIgnores => {
  const layers = new Map<string, Layer>()
  const rulesIn = (folder: string, above: readonly IgnoreFile[]): readonly IgnoreFile[] => {
    const rules = readRules(join(root, folder, fileName))
    return rules.length === 0 ? above : [{ folder: asBytes(folder), rules }, ...above]
  }
  /** The rules in a folder, and whether it is left out itself. A loop: a path can have more folders than a stack frames. */
  const layerOf = (folder: string): Layer => {
    const missing: string[] = []
    let at = folder
    while (at !== '' && !layers.has(at)) {
      missing.push(at)
      at = parentOf(at)
    }
    let layer: Layer | undefined = layers.get(at)
    if (layer === undefined) layers.set('', (layer = { files: rulesIn('', base), isLeftOut: false }))
    for (const path of missing.reverse()) {
      const isLeftOut: boolean =
        layer.isLeftOut || isIgnored(layer.files, asBytes(path), asBytes(nameOf(path)), true) === true
      layer = { files: isLeftOut ? layer.files : rulesIn(path, layer.files), isLeftOut }
      layers.set(path, layer)
    }
    return layer
  }
  return {
    isLeftOut: (path, isFolder) => {
      const layer = layerOf(parentOf(path))
      if (layer.isLeftOut) return true
      return layer.files.length > 0 && isIgnored(layer.files, asBytes(path), asBytes(nameOf(path)), isFolder) === true
    },
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
