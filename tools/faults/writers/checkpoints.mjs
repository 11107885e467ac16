// Checkpoints of a folder that changes before each: an acknowledged one gives back exactly what was there.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn, treeAt, treeDifference, writeTree } from '../project-files.mjs'

/** Enough to find one that holds another's files, without restoring all. */
const RESTORED = 3

const rootOf = ({ folder }, process) => join(folder, 'projects', `checkpoints-${process}`)

/**
 * Changes files and makes a checkpoint of each step; acknowledges each. @type {import('./index.mjs').Writer['write']}
 */
async function write({ engine, scene, process, acknowledge, isOver }) {
  const root = rootOf(scene, process)
  mkdirSync(root, { recursive: true })
  for (let step = 0; !isOver(); step += 1) {
    writeTree(root, treeAt(process, step))
    const { checkpoint } = await engine.checkpoints.create({ root, label: `step ${step}` })
    await acknowledge({ id: checkpoint.id, step })
  }
}

/**
 * Returns a sentence for each acknowledged checkpoint that is gone or gives back other files; only some are restored.
 * @type {import('./index.mjs').Writer['check']}
 */
async function check({ engine, scene, acknowledged, fresh }) {
  const faults = []
  for (const [process, records] of acknowledged) {
    if (records.length === 0) continue
    const root = rootOf(scene, process)
    const listed = new Map((await engine.checkpoints.list(root)).map((checkpoint) => [checkpoint.id, checkpoint]))
    for (const { id, step } of records)
      if (listed.get(id)?.label !== `step ${step}`)
        faults.push(`checkpoint ${id} of ${root} was acknowledged and is gone`)
    if (!fresh.has(process)) continue
    for (const { id, step } of [records[0], ...records.slice(1 - RESTORED)]) {
      await engine.checkpoints.restore(root, id)
      const difference = treeDifference(filesIn(root), treeAt(process, step))
      if (difference !== undefined) faults.push(`checkpoint ${id} of ${root} gave back other files: ${difference}`)
    }
  }
  return faults
}

export const checkpoints = { write, check }
