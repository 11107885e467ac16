// Rounds of killing: processes write to a store, are killed at a random moment, and everything they acknowledged is looked for.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomNumbers } from '../bench/numbers.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { checkScene } from './check-scene.mjs'
import { startWriter } from './killed-process.mjs'

/** A store that has served so long is replaced by a new one: what was acknowledged is looked for after each round. */
const ROUNDS_A_STORE = 10
const PROCESSES = 2
/** Kinds that a process writes at once. */
const KINDS_AT_ONCE = 3
/** One kill in so many comes while the store is being opened. */
const KILLS_AT_OPENING = 0.15
const OPENING_MS = 400
const MOST_RECORDS = 5
const LONGEST_WRITE_MS = 60

/**
 * @typedef {object} RunOptions
 * @property {number} rounds
 * @property {number} seed
 * @property {readonly string[]} kinds names of writers
 * @property {(folder: string) => Promise<string>} newAddress of an empty store
 * @property {(random: () => number) => Promise<void>} [disturb] what else happens while a round's processes write
 * @property {(text: string) => void} progress
 *
 * @typedef {object} RunResult
 * @property {number} rounds
 * @property {number} kills
 * @property {Readonly<Record<string, number>>} acknowledged by kind
 * @property {readonly { round: number, faults: readonly string[], folder: string }[]} failures
 * @property {readonly number[]} openMs how long opening took after each round
 */

/**
 * Runs the rounds. What fails is part of the result; its folder stays for whoever looks into it.
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
export async function runRounds({ rounds, seed, kinds, newAddress, disturb, progress }) {
  const random = randomNumbers(seed)
  const counted = Object.fromEntries(kinds.map((kind) => [kind, 0]))
  const [failures, openMs] = [[], []]
  let stage
  for (let round = 0; round < rounds; round += 1) {
    if (round % ROUNDS_A_STORE === 0) {
      removeStage(stage, failures)
      stage = await newStage(newAddress, kinds)
    }
    const faults = []
    try {
      const killed = await killRound({ ...stage, round, random, kinds, disturb })
      for (const [kind, name, records] of killed.written) {
        stage.acknowledged[kind].set(name, records)
        counted[kind] += records.length
      }
      faults.push(...killed.faults)
      const found = await checkScene(stage.scene, stage.acknowledged, killed.names)
      openMs.push(found.openMs)
      faults.push(...found.faults)
    } catch (error) {
      faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    if (faults.length > 0) failures.push({ round, faults, folder: stage.scene.folder })
    progress(line(round, rounds, counted, openMs, faults))
    // A store that has lost something loses it in every later round as well.
    if (faults.length > 0) round += ROUNDS_A_STORE - 1 - (round % ROUNDS_A_STORE)
  }
  removeStage(stage, failures)
  return { rounds, kills: rounds * PROCESSES, acknowledged: counted, failures, openMs }
}

/** A new folder, with the address of a store in it, for the rounds of one store; nothing is acknowledged yet. */
export async function newStage(newAddress, kinds) {
  const folder = scratchFolder('faults')
  mkdirSync(join(folder, 'home'))
  const address = await newAddress(folder)
  return { scene: { folder, address }, acknowledged: Object.fromEntries(kinds.map((kind) => [kind, new Map()])) }
}

/** Removes the folder of a store in which nothing failed. */
function removeStage(stage, failures) {
  if (stage === undefined || failures.some(({ folder }) => folder === stage.scene.folder)) return
  rmSync(stage.scene.folder, { recursive: true, force: true })
}

/** One round: processes that are killed one after the other, while the rest still writes. */
async function killRound({ scene, round, random, kinds, disturb }) {
  const pick = (from) => from[Math.floor(random() * from.length)]
  const processes = Array.from({ length: PROCESSES }, (_, index) => {
    const focus = kinds[(round * PROCESSES + index) % kinds.length]
    const others = new Set([focus])
    while (others.size < Math.min(KINDS_AT_ONCE, kinds.length)) others.add(pick(kinds))
    const atOpening = random() < KILLS_AT_OPENING
    const killing = atOpening
      ? { kind: focus, records: 0, ms: random() * OPENING_MS }
      : { kind: focus, records: 1 + Math.floor(random() * MOST_RECORDS), ms: random() * LONGEST_WRITE_MS }
    const name = `r${round}p${index}`
    const seed = Math.floor(random() * 1e9)
    return {
      name,
      killing,
      kinds: [...others],
      writer: startWriter({ scene, process: name, seed, kinds: [...others] }),
    }
  })
  await Promise.all(processes.map(({ writer }) => writer.ready))
  const [ends] = await Promise.all([
    Promise.allSettled(processes.map(({ writer, killing }) => writer.writeUntil(killing))),
    disturb?.(random),
  ])
  const written = ends.flatMap((end, index) =>
    end.status === 'fulfilled'
      ? Object.entries(end.value)
          .filter(([kind]) => kind !== 'reads')
          .map(([kind, records]) => [kind, processes[index].name, records])
      : [],
  )
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.message] : []))
  return { names: new Set(processes.map(({ name }) => name)), written, faults }
}

/** A round as a line: what was acknowledged, and what was found. */
function line(round, rounds, counted, openMs, faults) {
  const sum = Object.values(counted).reduce((total, count) => total + count, 0)
  const state = faults.length === 0 ? 'nothing lost' : `FAILED: ${faults[0].split('\n')[0]}`
  const opened = openMs.length === 0 ? '' : `, opened in ${openMs.at(-1).toFixed(0)} ms`
  return `round ${round + 1} of ${rounds}: ${sum} acknowledged so far${opened}, ${state}`
}
