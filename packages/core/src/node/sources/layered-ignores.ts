/** Ignore files of one name in every folder of a root, layered as git does: the nearest wins, and nothing below an ignored folder comes back. */
import { join } from 'node:path'
import { bytePathOf } from '../../checkpoints/byte-path.ts'
import { ignoreDecision } from '../../checkpoints/ignore-rules.ts'
import type { IgnoreFile } from '../../checkpoints/ignore-rules.ts'
import { readRules } from '../checkpoints/ignore-files.ts'

export interface LayeredIgnores {
  /** `path`: relative to the root, with `/`. */
  isLeftOut(path: string, isFolder: boolean): boolean
  /** The ignore file that leaves a path out, as a sentence names it; undefined where none does. */
  leftOutBy(path: string, isFolder: boolean): string | undefined
}

interface Layer {
  /** Of the folder and those above it, the strongest first. */
  readonly files: readonly IgnoreFile[]
  readonly leftOutBy: string | undefined
}

const ASCII = /^[\0-\x7f]*$/
const asBytes = (path: string): string => (ASCII.test(path) ? path : bytePathOf(path))

/**
 * The ignore files called `fileName` (such as `.gitignore`) in all folders below a root, each read once, when it is
 * first needed. `base`: rules that come after those of all folders, the strongest first. Rules of inner folders count
 * before those above; what a folder above leaves out can't be taken in again.
 */
export const layeredIgnores = (root: string, fileName: string, base: readonly IgnoreFile[] = []): LayeredIgnores => {
  const layers = new Map<string, Layer>()
  const rulesIn = (folder: string, above: readonly IgnoreFile[]): readonly IgnoreFile[] => {
    const rules = readRules(join(root, folder, fileName))
    return rules.length === 0
      ? above
      : [{ folder: asBytes(folder), rules, source: folder === '' ? fileName : `${folder}/${fileName}` }, ...above]
  }
  const decidedBy = (files: readonly IgnoreFile[], path: string, isFolder: boolean): string | undefined => {
    const decision =
      files.length === 0 ? undefined : ignoreDecision(files, asBytes(path), asBytes(nameOf(path)), isFolder)
    return decision?.isIgnored === true ? (decision.file.source ?? fileName) : undefined
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
    if (layer === undefined) layers.set('', (layer = { files: rulesIn('', base), leftOutBy: undefined }))
    for (const path of missing.reverse()) {
      const leftOutBy: string | undefined = layer.leftOutBy ?? decidedBy(layer.files, path, true)
      layer = { files: leftOutBy === undefined ? rulesIn(path, layer.files) : layer.files, leftOutBy }
      layers.set(path, layer)
    }
    return layer
  }
  const leftOutBy = (path: string, isFolder: boolean): string | undefined => {
    const layer = layerOf(parentOf(path))
    return layer.leftOutBy ?? decidedBy(layer.files, path, isFolder)
  }
  return { leftOutBy, isLeftOut: (path, isFolder) => leftOutBy(path, isFolder) !== undefined }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
