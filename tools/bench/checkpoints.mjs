// Checkpoints of a large repository beside `git add -A` into a repository of the same kind, in turns in the same run.
import { execFileSync } from 'node:child_process'
import { appendFileSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, randomNumbers } from './numbers.mjs'
import { runWell } from './processes.mjs'

const worker = fileURLToPath(new URL('checkpoints-worker.mjs', import.meta.url))
const FILES_A_FOLDER = 50
const CHANGED = 10

/** Text of words that compresses about as sources do. */
function textOf(random, bytes) {
  const words = []
  for (let size = 0; size < bytes;) {
    const word = Math.floor(random() * 40_000).toString(36)
    words.push(word)
    size += word.length + 1
  }
  return `${words.join(' ').replace(/(.{60}) /g, '$1\n')}\n`
}

const pathOf = (root, index) => {
  const folder = Math.floor(index / FILES_A_FOLDER)
  return join(root, `part-${folder % 20}`, `folder-${folder}`, `file-${index}.ts`)
}

/** Makes a repository with files of very different sizes, ignored ones, and a nested repository. */
function makeTree(root, files) {
  const random = randomNumbers(14)
  for (let index = 0; index < files; index += 1) {
    const path = pathOf(root, index)
    if (index % FILES_A_FOLDER === 0) mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, textOf(random, 200 + random() ** 4 * 28_000))
  }
  mkdirSync(join(root, 'node_modules', 'library'), { recursive: true })
  for (let index = 0; index < files / 2; index += 1)
    writeFileSync(join(root, 'node_modules', 'library', `${index}.js`), 'ignored')
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n*.log\n')
  const git = (folder, ...options) =>
    execFileSync(
      'git',
      [
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b.c',
        '-c',
        'gc.auto=0',
        '-c',
        'advice.addEmbeddedRepo=false',
        ...options,
      ],
      { cwd: folder },
    )
  mkdirSync(join(root, 'nested'))
  writeFileSync(join(root, 'nested', 'own.c'), 'int own;\n')
  for (const folder of [join(root, 'nested'), root]) {
    git(folder, 'init', '-q')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', 'one')
    // As a clone has it.
    git(folder, 'repack', '-a', '-d', '-q')
  }
}

/** The bytes of all counted files below a folder. */
const sizeOf = (folder, isCounted = () => true) => {
  let bytes = 0
  for (const name of readdirSync(folder, { recursive: true })) {
    const facts = lstatSync(join(folder, name))
    if (facts.isFile() && isCounted(name)) bytes += facts.size
  }
  return bytes
}
/** Whether a checkpoint holds a file of this path. */
const isCaptured = (name) => !/(?:^|[/\\])(?:\.git|node_modules)(?:[/\\]|$)/.test(name)

/**
 * Measures snapshots of a tree of so many files, beside git's own. Rejects when either fails.
 * @param {{ files: number, rounds: number, more: number, log: (text: string) => void }} options
 *   `rounds`: pairs of next snapshots; `more`: snapshots whose space is counted
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function checkpoints({ files, rounds, more, log }) {
  const base = mkdtempSync(join(tmpdir(), 'cairn-bench-checkpoints-'))
  try {
    const [root, data, shadow] = ['project', 'data', 'shadow.git'].map((name) => join(base, name))
    mkdirSync(root)
    log(`checkpoints: writing ${files} files`)
    makeTree(root, files)
    const treeBytes = sizeOf(root, isCaptured)
    execFileSync('git', ['init', '-q', '--bare', shadow])
    const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
    const ours = async (work, ...options) => {
      const { cpuMs, stdout } = await runWell(
        [process.execPath, '--conditions=@cairn/source', worker, work, root, data, ...options],
        { env },
      )
      const { walls } = JSON.parse(stdout)
      return { cpuMs, wallMs: walls.length === 0 ? 0 : median(walls) }
    }
    const add = () =>
      runWell(['git', `--git-dir=${shadow}`, `--work-tree=${root}`, '-c', 'gc.auto=0', 'add', '-A', '.'], { env })
    const { cpuMs: startMs } = await ours('nothing')
    const first = await ours('create')
    const firstAdd = await add()
    const firstBytes = sizeOf(data)
    log(
      `checkpoints: first ${((first.cpuMs - startMs) / 1000).toFixed(1)} s CPU, ${(first.wallMs / 1000).toFixed(1)} s; git add -A ${(firstAdd.cpuMs / 1000).toFixed(1)} s CPU, ${(firstAdd.wallMs / 1000).toFixed(1)} s; ${(treeBytes / 1e6).toFixed(0)} MB`,
    )
    // The second one reads files again whose times were too new to be trusted at the first.
    await ours('create')
    await add()
    const next = []
    const nextAdd = []
    for (let round = 0; round < rounds; round += 1) {
      change(root, files, round)
      next.push(await ours('create'))
      nextAdd.push(await add())
    }
    const nextOfPaths = []
    const restores = []
    const restoresOfPaths = []
    for (let round = 0; round < rounds; round += 1) {
      nextOfPaths.push(await ours('create', ...change(root, files, rounds + round)))
      change(root, files, 2 * rounds + round)
      restores.push(await ours('restore'))
      restoresOfPaths.push(await ours('restore', ...change(root, files, 3 * rounds + round)))
    }
    const before = sizeOf(data)
    for (let round = 0; round < more; round += 1) {
      await ours('create', ...change(root, files, 4 * rounds + round))
    }
    const moreBytes = sizeOf(data) - before
    const cpu = (runs) => Math.max(1, median(runs.map(({ cpuMs }) => cpuMs)) - startMs)
    const wall = (runs) => median(runs.map(({ wallMs }) => wallMs))
    log(
      `checkpoints: next ${cpu(next).toFixed(0)} ms CPU, of known paths ${cpu(nextOfPaths).toFixed(0)}; restore ${cpu(restores).toFixed(0)}, of known paths ${cpu(restoresOfPaths).toFixed(0)}; git add -A ${median(nextAdd.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms CPU, ${median(nextAdd.map(({ wallMs }) => wallMs)).toFixed(0)} ms`,
    )
    return [
      ratio('checkpoint: first / git add -A, CPU', (first.cpuMs - startMs) / firstAdd.cpuMs, 0.25),
      ratio('checkpoint: disk / files captured', firstBytes / treeBytes, 0.8),
      time('checkpoint: next, 10 files changed', wall(next), 700),
      time('checkpoint: next, 10 files changed, paths known', wall(nextOfPaths), 150),
      time('checkpoint: restore of 10 files, whole folder', wall(restores)),
      time('checkpoint: restore of 10 files, paths known', wall(restoresOfPaths), 200),
      {
        name: `checkpoint: disk of ${more} more`,
        value: moreBytes / 2 ** 20,
        unit: 'MiB',
        target: { most: (30e6 / 2 ** 20 / 500) * more },
      },
    ]
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

const ratio = (name, value, most) => ({ name, value, unit: 'ratio', target: { most } })
const time = (name, value, most) => ({ name, value, unit: 'ms', ...(most === undefined ? {} : { target: { most } }) })

/** Adds a line to ten files, others in each round; returns their paths. */
function change(root, files, round) {
  const paths = Array.from({ length: CHANGED }, (_, index) =>
    pathOf(root, (round * 977 + index * Math.floor(files / CHANGED)) % files),
  )
  for (const path of paths) appendFileSync(path, `line of round ${round}\n`)
  return paths
}
