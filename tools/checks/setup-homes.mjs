// A home folder with every agent's settings files, as people have them, for the checks of `cairn setup`.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { AGENTS } from '../../packages/core/src/setup/index.ts'
import {
  BROKEN_JSON,
  BROKEN_TOML,
  COMMENTED_JSON,
  PLAIN_JSON,
  TOML_FILES,
  WRONG_SHAPES,
} from '../../packages/core/src/setup/awkward-files.fixture.ts'
import { run } from '../bench/processes.mjs'
import { cairnCommand } from '../bench/cairn.mjs'

/** Larger files have tests of their own. */
const LONGEST = 100_000
const MODES = [0o600, 0o640, 0o644]

/** What an agent's settings depend on, so that nothing of whoever runs this is touched. */
export const environmentOf = (folder) => ({
  HOME: join(folder, 'home'),
  USERPROFILE: join(folder, 'home'),
  CAIRN_HOME: join(folder, 'data'),
  CAIRN_DATABASE_URL: '',
  CLAUDE_CONFIG_DIR: '',
  CODEX_HOME: '',
  COPILOT_HOME: '',
  XDG_CONFIG_HOME: '',
  XDG_DATA_HOME: '',
})

/**
 * Runs `cairn setup … --json` in a home: the document's fields, and the exit code. Throws where no document was
 * printed.
 */
export async function setup(folder, ...words) {
  const { stdout, stderr, exitCode } = await run(cairnCommand(['setup', ...words, '--json']), {
    cwd: folder,
    env: environmentOf(folder),
  })
  try {
    return { exitCode, ...JSON.parse(stdout) }
  } catch {
    throw new Error(
      `cairn setup ${words.join(' ')} ended with ${exitCode}: ${stdout.slice(0, 500)}${stderr.slice(0, 2_000)}`,
    )
  }
}

/** Every agent's files in the first of its installations, with what its own parser takes. In the agents' order. */
export function agentFiles(folder) {
  const machine = { home: join(folder, 'home'), platform: process.platform, variables: {} }
  const program = { node: '/node', hook: '/dist/hook.js', command: '/bin/cairn.js' }
  return AGENTS.flatMap(({ agent, installations }) => {
    const [first] = installations(machine)
    return first
      .targets(program)
      .map((target) => ({ agent, path: target.paths[0], target, evidence: first.evidence[0] }))
  })
}

/** @param {() => number} random */
const pick = (values, random) => values[Math.floor(random() * values.length)]

/** The values in another order. */
function shuffled(values, random) {
  const left = [...values]
  return values.map(() => left.splice(Math.floor(random() * left.length), 1)[0])
}

/** A JSON object that nobody has written by hand, in a form that somebody might have. */
function anyJson(random) {
  const value = (depth) => {
    const kind = Math.floor(random() * (depth > 3 ? 4 : 6))
    if (kind === 0) return pick([0, -1.5, 1e21, 42], random)
    if (kind === 1) return pick(['', 'x', 'ключ', '😀 "quoted" \\ // no comment', '{}'], random)
    if (kind < 4) return pick([true, false, null], random)
    const parts = Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1))
    return kind === 4 ? parts : Object.fromEntries(parts.map((part, index) => [`k${index}`, part]))
  }
  const object = { a: value(0), b: value(0), c: value(0) }
  const unit = pick([undefined, 1, 2, 3, 4, '\t', ' \t'], random)
  const lineBreak = pick(['\n', '\r\n'], random)
  return (JSON.stringify(object, undefined, unit) + pick(['', '\n', '\n\n'], random)).replaceAll('\n', lineBreak)
}

const entries = (texts) => Object.entries(texts).map(([title, text]) => ({ title, text }))

/** Whether an agent's own parser takes a JSON text, by what the agents were seen to take. */
function isTaken({ title, text, kind, trailing }, { dialect }) {
  if (kind === 'broken') return false
  if (kind === 'commented') return dialect.comments && (trailing !== true || dialect.trailingCommas)
  if (text.startsWith('\ufeff') && !dialect.byteOrderMark) return false
  if (title.includes('nesting') && dialect.levels !== undefined) return false
  if (title === 'keys twice' && dialect.refusesRepeatedKeys === true) return false
  const value = text.trim() === '' ? {} : JSON.parse(text.replace('\ufeff', ''))
  return dialect.rootKeys === undefined || Object.keys(value).every((key) => dialect.rootKeys.includes(key))
}

/** `count` texts for one file, in random order, each with whether its agent can read it. */
export function textsFor({ target }, count, random) {
  if (target.kind === 'file') return Array.from({ length: count }, () => undefined)
  const isToml = target.kind === 'toml'
  const sound = isToml
    ? entries(TOML_FILES).map((each) => ({ ...each, isTaken: true }))
    : [
        ...entries(PLAIN_JSON).map((each) => ({ ...each, kind: 'plain' })),
        ...Object.entries(COMMENTED_JSON).map(([title, each]) => ({ title, kind: 'commented', ...each })),
        ...Array.from({ length: 8 }, () => ({ title: 'made up', kind: 'plain', text: anyJson(random) })),
      ].map((each) => ({ ...each, isTaken: isTaken(each, target) }))
  const broken = (isToml ? entries(BROKEN_TOML) : entries({ ...BROKEN_JSON, ...WRONG_SHAPES })).map((each) => ({
    ...each,
    kind: 'broken',
    isTaken: false,
  }))
  const few = (values, most) => shuffled(values, random).slice(0, most)
  const short = sound.filter(({ text }) => text.length < LONGEST)
  const refused = Math.ceil(count / 20)
  const others = [
    ...few(
      short.filter((each) => !each.isTaken),
      refused,
    ),
    ...few(broken, refused),
  ]
  const taken = few(
    short.filter((each) => each.isTaken),
    count - others.length,
  )
  const all = shuffled([...taken, ...others], random)
  return Array.from({ length: count }, (_, index) => ({ ...all[index % all.length] })).map((each, index) =>
    // A file that is not there yet.
    index % 13 === 12 ? undefined : each,
  )
}

/**
 * Writes a settings file as its owner might have it: with a mode of its own, and sometimes behind a link, as `random`
 * decides.
 */
export function writeSettings({ path }, text, folder, random) {
  mkdirSync(dirname(path), { recursive: true })
  const isLink = random() < 0.2
  const real = isLink ? join(folder, 'home', 'dotfiles', relative(folder, path).replaceAll(/[\\/]/g, '-')) : path
  mkdirSync(dirname(real), { recursive: true })
  writeFileSync(real, text)
  chmodSync(real, pick(MODES, random))
  if (isLink) symlinkSync(relative(dirname(path), real), path)
}

/** Everything below a home: text, mode and link of each file, mode of each folder. A map by path, in order. */
export function snapshot(folder) {
  const home = join(folder, 'home')
  return new Map(
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const path = join(home, name)
        const facts = lstatSync(path)
        if (facts.isSymbolicLink()) return [name, `link ${readlinkSync(path)}`]
        const mode = (facts.mode & 0o7777).toString(8)
        return [name, facts.isFile() ? `${mode} ${readFileSync(path, 'latin1')}` : `folder ${mode}`]
      }),
  )
}

/** What is different between two snapshots, as a text; empty where nothing is. */
export function difference(before, after) {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}:\n  ${quoted(before.get(name))}\n  ${quoted(after.get(name))}`)
    .join('\n')
}

const quoted = (text) => (text === undefined ? '(not there)' : JSON.stringify(text.slice(0, 600)))

/** The name of a settings file in a summary. For people: not unique. */
export const nameOf = ({ agent, path }) => `${agent} ${basename(path)}`
