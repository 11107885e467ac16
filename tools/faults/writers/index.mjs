// What is written while processes are killed. A new kind of data needs one file beside this one, and its line below.
import { checkpoints } from './checkpoints.mjs'
import { imports } from './imports.mjs'
import { memory } from './memory.mjs'
import { messages } from './messages.mjs'
import { notes } from './notes.mjs'
import { restores } from './restores.mjs'
import { rewinds } from './rewinds.mjs'
import { settings } from './settings.mjs'
import { state } from './state.mjs'
import { stateCache } from './state-cache.mjs'

/**
 * @typedef {object} Writing what a writer is given, in a process that will be killed
 * @property {import('@cairn/core').Engine} engine
 * @property {import('../open-engine.mjs').Scene} scene
 * @property {string} process names the process: no other of this scene has it
 * @property {() => number} random 0 ≤ x < 1
 * @property {(record: any) => Promise<void>} acknowledge tells that a write's promise resolved; then the process's other writers have their turn
 * @property {() => boolean} isOver whether to end; a process that is killed is never told
 */

/**
 * @typedef {object} Checking what a check is given, after processes were killed
 * @property {import('@cairn/core').Engine} engine a new one
 * @property {import('../open-engine.mjs').Scene} scene
 * @property {ReadonlyMap<string, readonly any[]>} acknowledged by process, its records in order; also of processes that acknowledged nothing
 * @property {ReadonlySet<string>} fresh the processes that were killed since the last check
 */

/**
 * @typedef {object} Writer
 * @property {(writing: Writing) => Promise<void>} write one write after the other, each acknowledged
 * @property {(checking: Checking) => Promise<readonly string[]>} check what is lost, or there in part, a sentence each
 */

/** @type {Record<string, Writer>} */
export const writers = { messages, rewinds, imports, memory, notes, settings, state, stateCache, checkpoints, restores }
