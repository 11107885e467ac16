// An import that is killed twenty times at random moments and run again gives the same store as an undisturbed one.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { rmSync } from 'node:fs'
import { cairnCommand, cairnEnvironment, cairnJson } from '../bench/cairn.mjs'
import { randomNumbers } from '../bench/numbers.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { transcripts } from '../bench/transcripts.mjs'
import { assertSameState, assertSound, stateOf } from './state.mjs'

const START_UP_MS = 60

/**
 * Proves that an import that is killed and run again gives the same store.
 * @type {import('./index.mjs').Check}
 */
export async function kill({ quick, log }) {
  const input = transcripts(quick ? 10 : 60, { log })
  if (input === undefined) return 'skipped: there are neither real transcripts nor samples'
  const kills = quick ? 5 : 20
  const folder = scratchFolder('kill')
  const importInto = (store) => ['import', '--agent', 'claude-code', '--from', input.folder, '--store', store]

  const whole = `file:${join(folder, 'whole.db')}`
  const { wallMs } = await cairnJson(importInto(whole))
  const expected = await stateOf(whole)

  const broken = `file:${join(folder, 'broken.db')}`
  const seed = Date.now() % 1_000_000
  const random = randomNumbers(seed)
  log(`kill: seed ${seed}`)
  // Short enough that the last ones still interrupt some work, long enough that each makes progress.
  const longest = (wallMs * 2.5) / kills
  let interrupted = 0
  for (let index = 0; index < kills; index += 1) {
    if (await killAfter(cairnCommand([...importInto(broken), '--json']), START_UP_MS + random() * longest))
      interrupted += 1
    if (index % 5 === 4) await assertSound(broken, `after kill ${index + 1}`)
  }
  await cairnJson(importInto(broken))
  assertSameState(await stateOf(broken), expected, 'killed and run again')
  await assertSound(broken, 'killed and run again')
  assert.equal((await cairnJson(importInto(broken))).json.messages, 0, 'the import after that found something new')
  rmSync(folder, { recursive: true, force: true })
  return `${(input.bytes / 1e6).toFixed(0)} MB, ${kills} kills, ${interrupted} of them before the import's end: ${expected.counts.entries} entries, ${expected.counts.requests} requests, all the same`
}

/** Runs a command and kills it after `ms`; true if it was still running. */
function killAfter([program, ...args], ms) {
  const child = spawn(program, args, {
    stdio: 'ignore',
    env: { ...process.env, ...cairnEnvironment, NODE_OPTIONS: '' },
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      clearTimeout(timer)
      resolve(signal === 'SIGKILL')
    })
  })
}
