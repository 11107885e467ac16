// Restores of two checkpoints in turn: once the next command ran, a folder is as it was before or after, never between.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn, treeAt, treeDifference, writeTree } from '../project-files.mjs'

const rootOf = ({ folder }, process) => join(folder, 'projects', `restores-${process}`)
/** The step whose files are there after the nth restore; both were captured before the first, the second last. */
const stepAfter = (count) => (count % 2 === 0 ? 0 : 1)

/**
 * Makes two checkpoints, then restores one after the other and acknowledges each. @type
 * {import('./index.mjs').Writer['write']}
 */
async function write({ engine, scene, process, acknowledge, isOver }) {
  const root = rootOf(scene, process)
  mkdirSync(root, { recursive: true })
  const ids = []
  for (const step of [0, 1]) {
    writeTree(root, treeAt(process, step))
    ids.push((await engine.checkpoints.create({ root, label: `step ${step}` })).checkpoint.id)
  }
  await acknowledge({ ids })
  for (let count = 0; !isOver(); count += 1) {
    const { undo, untouched } = await engine.checkpoints.restore(root, ids[stepAfter(count)])
    if (untouched.length > 0) throw new Error(`${untouched.length} files of ${root} were left as they are`)
    await acknowledge({ count, undo: undo?.id })
  }
}

/**
 * Finishes an interrupted restore, and returns a sentence for each folder that is in between, and for each checkpoint
 * that is gone or gives back other files. @type {import('./index.mjs').Writer['check']}
 */
async function check({ engine, scene, acknowledged, fresh }) {
  const faults = []
  for (const [process, [begun, ...records]] of acknowledged) {
    if (begun === undefined || !fresh.has(process)) continue
    const root = rootOf(scene, process)
    // The next command, whichever it is.
    await engine.checkpoints.resume(root)
    const last = records.at(-1)?.count ?? -1
    const [before, after] = [last, last + 1].map((count) => treeAt(process, stepAfter(count)))
    const found = filesIn(root)
    const difference = treeDifference(found, before)
    if (difference !== undefined && treeDifference(found, after) !== undefined)
      faults.push(`a restore in ${root} was neither begun nor ended: ${difference}`)
    const listed = new Set((await engine.checkpoints.list(root)).map(({ id }) => id))
    for (const id of [...begun.ids, ...records.map(({ undo }) => undo)])
      if (!listed.has(id)) faults.push(`checkpoint ${id} of ${root} was acknowledged and is gone`)
    for (const step of [0, 1]) {
      await engine.checkpoints.restore(root, begun.ids[step])
      const wrong = treeDifference(filesIn(root), treeAt(process, step))
      if (wrong !== undefined) faults.push(`the restore of ${begun.ids[step]} in ${root} gave other files: ${wrong}`)
    }
  }
  return faults
}

export const restores = { write, check }
