// `cairn setup` and its removal, killed before any one of their changes on disk: no settings file is ever anything but what
// it was or what it becomes, and the next setup or removal cleans up whatever is left beside them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cairnCommand } from '../bench/cairn.mjs'
import { randomNumbers } from '../bench/numbers.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { agentFiles, difference, environmentOf, setup, snapshot, textsFor, writeSettings } from './setup-homes.mjs'

/** Ends the process before its nth change on disk; prints how many there were where it is not reached. */
const CRASH = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const last = Number(process.env.CRASH_AT)
  let count = 0
  for (const name of ['mkdirSync', 'rmdirSync', 'rmSync', 'renameSync', 'linkSync', 'openSync', 'writeSync', 'writeFileSync', 'chmodSync']) {
    const real = fs[name]
    fs[name] = (...args) => {
      const isReading = name === 'openSync' && (args[1] ?? 'r') === 'r'
      if (!isReading && ++count === last) process.kill(process.pid, 'SIGKILL')
      return real(...args)
    }
  }
  syncBuiltinESMExports()
  process.on('exit', () => process.stderr.write('CHANGES ' + count))
`

/**
 * Proves that a killed setup leaves no settings file half written.
 * @type {import('./index.mjs').Check}
 */
export async function setupKilled({ quick, seed, log }) {
  const rounds = quick ? 8 : 40
  log(`setup-killed: seed ${seed}`)
  const random = randomNumbers(seed)
  const folder = scratchFolder('setup-killed')
  const [home, data] = [join(folder, 'home'), join(folder, 'data')]
  const files = agentFiles(folder)
  for (const file of files) {
    mkdirSync(file.evidence.endsWith('.json') ? home : file.evidence, { recursive: true })
    const [text] = textsFor(file, 40, random)
    if (text !== undefined) writeSettings(file, text.text, folder, random)
  }
  const clean = snapshot(folder)
  const [saved, savedSetUp] = [scratchFolder('setup-clean'), scratchFolder('setup-done')]
  cpSync(folder, saved, { recursive: true, verbatimSymlinks: true })
  await setup(folder, '--yes')
  const done = snapshot(folder)
  cpSync(folder, savedSetUp, { recursive: true, verbatimSymlinks: true })
  const restore = (from) => {
    for (const each of [home, data]) rmSync(each, { recursive: true, force: true })
    cpSync(from, folder, { recursive: true, verbatimSymlinks: true })
  }
  const total = { setup: 0, removal: 0 }
  restore(saved)
  total.setup = (await crashed(folder, ['--yes'], 0)).changes
  restore(savedSetUp)
  total.removal = (await crashed(folder, ['--remove', '--yes'], 0)).changes
  assert.equal(difference(clean, snapshot(folder)), '', 'removed without being killed')
  for (let round = 0; round < rounds; round += 1) {
    const work = round % 4 === 3 ? 'removal' : 'setup'
    restore(work === 'setup' ? saved : savedSetUp)
    const at = 1 + Math.floor(random() * total[work])
    const where = `seed ${seed}, round ${round}: ${work} killed before change ${at} of ${total[work]}`
    const { signal } = await crashed(folder, work === 'setup' ? ['--yes'] : ['--remove', '--yes'], at)
    assert.equal(signal, 'SIGKILL', where)
    for (const [name, content] of snapshot(folder)) {
      // What setup notes of itself grows as it goes.
      if (name.startsWith('.local/share/cairn/')) continue
      if (/\.cairn-(?:backup|tmp)/.test(name) || !lstatSync(join(home, name)).isFile()) continue
      assert.ok(
        content === clean.get(name) || content === done.get(name),
        `${where}: ${name} is ${content.slice(0, 600)}`,
      )
    }
    if (round % 2 === 1) await setup(folder, '--yes')
    await setup(folder, '--remove', '--yes')
    assert.equal(difference(clean, snapshot(folder)), '', `${where}: something is left`)
    assert.deepEqual(readdirSync(folder), ['home'], `${where}: something is left of the data folder`)
  }
  restore(saved)
  const together = await Promise.all(Array.from({ length: 4 }, () => crashed(folder, ['--yes'], 0)))
  assert.deepEqual(
    together.map(({ code }) => code).filter((code) => code !== 0 && code !== 1),
    [],
    'four at once',
  )
  assert.equal(difference(done, snapshot(folder)), '', 'four at once made something else than one')
  for (const each of [folder, saved, savedSetUp]) rmSync(each, { recursive: true, force: true })
  return `killed before ${rounds} of ${total.setup} changes of setup and ${total.removal} of the removal, over ${files.length} files of every agent: no file damaged, nothing left; four at once as one (seed ${seed})`
}

/** Runs setup and ends it before its nth change; 0: not at all. */
function crashed(folder, words, at) {
  const [program, ...args] = cairnCommand(['setup', ...words, '--json'])
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(CRASH)}`]
  const child = spawn(program, [...preload, ...args], {
    cwd: folder,
    env: { ...process.env, ...environmentOf(folder), NODE_OPTIONS: '', CRASH_AT: String(at) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let messages = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (messages += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ code, signal, changes: Number(/CHANGES (\d+)/.exec(messages)?.[1]), messages }),
    )
  })
}
