// `cairn setup`, again, and `--remove` over forty settings files of every agent: each comes back byte for byte, what
// somebody else changed meanwhile survives, and what its agent could not read is not touched.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import ts from 'typescript'
import { randomNumbers } from '../bench/numbers.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { agentFiles, difference, nameOf, setup, snapshot, textsFor, writeSettings } from './setup-homes.mjs'

const BY_OTHERS = '"byOthers": {"x": [1, 2]},'

/**
 * Proves that setup and its removal give settings files back byte for byte.
 * @type {import('./index.mjs').Check}
 */
export async function setupFiles({ quick, seed, log }) {
  const rounds = quick ? 8 : 40
  log(`setup-files: seed ${seed}`)
  const random = randomNumbers(seed)
  const folder = scratchFolder('setup-files')
  const files = agentFiles(folder).map((file) => ({ ...file, texts: textsFor(file, rounds, random) }))
  const counts = new Map(files.map(({ agent }) => [agent, { back: 0, changed: 0, refused: 0, made: 0 }]))
  for (let round = 0; round < rounds; round += 1) await oneRound({ folder, files, round, random, counts, seed })
  rmSync(folder, { recursive: true, force: true })
  for (const [agent, { back, changed, refused, made }] of counts)
    log(
      `  ${agent.padEnd(12)} ${String(back).padStart(3)} given back byte for byte, ${String(changed).padStart(3)} with a change of others kept, ${String(made).padStart(3)} made and removed, ${String(refused).padStart(3)} left alone`,
    )
  const sum = (name) => [...counts.values()].reduce((total, each) => total + each[name], 0)
  return `${rounds} homes, ${counts.size} agents: ${sum('back')} files given back byte for byte, ${sum('changed')} with a change of others kept, ${sum('made')} made and removed, ${sum('refused')} left alone (seed ${seed})`
}

/** One round: sets up, changes files, removes, and compares what is there. */
async function oneRound({ folder, files, round, random, counts, seed }) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'home'), { recursive: true })
  const given = files.map((file) => ({ ...file, given: file.texts[round] }))
  for (const file of given) {
    mkdirSync(file.evidence.endsWith('.json') ? join(file.evidence, '..') : file.evidence, { recursive: true })
    if (file.given !== undefined) writeSettings(file, file.given.text, folder, random)
  }
  const where = (file) => `seed ${seed}, round ${round}, ${nameOf(file)}, ${file.given?.title ?? 'no file'}`
  const before = snapshot(folder)
  const first = statuses(await setup(folder, '--yes'))
  for (const file of given) {
    const status = first.get(file.path)
    const expected = file.given === undefined || file.given.isTaken ? ['written', 'unchanged'] : ['refused']
    assert.ok(expected.includes(status), `${where(file)}: ${status}`)
    if (status === 'written') assertReadable(file, where(file))
  }
  const after = snapshot(folder)
  const again = statuses(await setup(folder, '--yes'))
  assert.ok(
    [...again.values()].every((status) => status !== 'written'),
    `round ${round}: set up again, something is written`,
  )
  assert.equal(difference(after, snapshot(folder)), '', `seed ${seed}, round ${round}: set up again, something changed`)
  const isChanged = round % 2 === 1
  const changes = isChanged ? given.map((file) => changeOf(file, first.get(file.path))) : []
  for (const change of changes) change?.make()
  await setup(folder, '--remove', '--yes')
  for (const change of changes) change?.undo(where(change.file))
  assert.equal(difference(before, snapshot(folder)), '', `seed ${seed}, round ${round}: not given back`)
  for (const [index, file] of given.entries()) {
    const count = counts.get(file.agent)
    if (first.get(file.path) === 'refused') count.refused += 1
    else if (file.given === undefined) count.made += 1
    else if (changes[index] !== undefined) count.changed += 1
    else count.back += 1
  }
}

/** By path: what was done to it. */
const statuses = ({ agents }) => new Map(agents.flatMap(({ files }) => files.map(({ path, status }) => [path, status])))

/** Asserts that a settings file can be read by another parser than ours. */
function assertReadable({ path, target }, where) {
  const text = readFileSync(path, 'utf8')
  if (target.kind === 'toml')
    assert.doesNotThrow(() => parseToml(text.replace('\ufeff', ''), { integersAsBigInt: true }), where)
  if (target.kind !== 'json') return
  const relaxed = target.dialect.comments
    ? ts.parseConfigFileTextToJson(path, text)
    : { config: JSON.parse(text.replace('\ufeff', '')) }
  assert.equal(relaxed.error, undefined, where)
  assert.equal(typeof relaxed.config, 'object', where)
}

/** A change that somebody else makes to a file: made in it, and taken out of it by the very same text. */
function changeOf(file, status) {
  const { path, target, given } = file
  if (given === undefined || status !== 'written') return undefined
  const change = target.kind === 'toml' ? ['# by others\n', 'start'] : jsonChange(given, target)
  if (change === undefined) return undefined
  const [added, position] = change
  return {
    file,
    make: () => writeFileSync(path, inserted(readFileSync(path, 'utf8'), added, position)),
    undo: (where) => {
      const text = readFileSync(path, 'utf8')
      assert.equal(text, inserted(given.text, added, position), `${where}: the change of others, or what is around it`)
      writeFileSync(path, given.text)
    },
  }
}

/** What is added to a JSON file, and where it stays as it is; undefined where every change would touch what setup put in. */
function jsonChange({ kind, text }, { dialect }) {
  if (kind === 'commented') return ['\n// by others\n', 'end']
  if (dialect.rootKeys !== undefined || /^\ufeff?\s*(?:\{\s*\})?\s*$/.test(text)) return ['\n\n', 'end']
  return [BY_OTHERS, 'inside']
}

/** A text with something put at its end, inside of it, or at its beginning. */
function inserted(text, added, position) {
  if (position === 'end') return text + added
  const at = position === 'inside' ? text.indexOf('{') + 1 : text.startsWith('\ufeff') ? 1 : 0
  return text.slice(0, at) + added + text.slice(at)
}
