// What the rounds of killing find: nothing where all is there, and each acknowledged write that is not.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInMemoryStore } from '@cairn/core/testing'
import { randomNumbers } from '../bench/numbers.mjs'
import { engineOver } from './open-engine.mjs'
import { writers } from './writers/index.mjs'

const WRITES = 5

let scene
beforeEach(() => {
  scene = newScene()
})
afterEach(() => rmSync(scene.folder, { recursive: true, force: true }))

const newScene = () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-faults-test-'))
  mkdirSync(join(folder, 'home'))
  return { folder, address: 'memory' }
}

/** Everything that was acknowledged until there were enough writes. */
const written = async (writer, engine) => {
  const records = []
  await writer.write({
    engine,
    scene,
    process: 'p',
    random: randomNumbers(7),
    acknowledge: async (record) => void records.push(record),
    isOver: () => records.length >= WRITES,
  })
  return records
}

describe.each(Object.entries(writers))('the check of %s', (_, writer) => {
  const found = (engine, records, where = scene) =>
    writer.check({ engine, scene: where, acknowledged: new Map([['p', records]]), fresh: new Set(['p']) })

  it('finds nothing where all is there', async () => {
    const engine = engineOver(createInMemoryStore(), scene)
    const records = await written(writer, engine)
    expect(records.length).toBeGreaterThanOrEqual(WRITES)
    expect(await found(engine, records)).toEqual([])
  })

  it('finds what is lost', async () => {
    const records = await written(writer, engineOver(createInMemoryStore(), scene))
    // Another store, and another disk.
    rmSync(scene.folder, { recursive: true })
    mkdirSync(join(scene.folder, 'projects', 'checkpoints-p'), { recursive: true })
    mkdirSync(join(scene.folder, 'projects', 'restores-p'))
    mkdirSync(join(scene.folder, 'transcripts', 'p'), { recursive: true })
    const faults = await found(engineOver(createInMemoryStore(), scene), records).catch((error) => [error.message])
    expect(faults.length).toBeGreaterThan(0)
  })

  it('finds a write that only was begun to be one too few', async () => {
    const engine = engineOver(createInMemoryStore(), scene)
    const records = await written(writer, engine)
    // More was acknowledged than was ever written.
    const others = newScene()
    const folder = scene.folder
    const more = []
    scene = others
    await writer.write({
      engine: engineOver(createInMemoryStore(), others),
      scene: others,
      process: 'p',
      random: randomNumbers(7),
      acknowledge: async (record) => void more.push(record),
      isOver: () => more.length >= 2 * WRITES,
    })
    scene = { ...others, folder }
    const faults = await found(engine, more, scene).catch((error) => [error.message])
    rmSync(others.folder, { recursive: true, force: true })
    expect(records.length).toBeLessThan(more.length)
    expect(faults.length).toBeGreaterThan(0)
  })
})
