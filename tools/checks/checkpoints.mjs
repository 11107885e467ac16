// Checkpoints of a repository with a nested one, a submodule and a filter, made, restored and pruned, also by processes that
// are killed: the user's repositories stay as they are byte by byte, the private one is whole, and the disk is bounded.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSnapshotRepository } from '@cairn/core/node/checkpoints'
import { randomNumbers } from '../bench/numbers.mjs'

const worker = fileURLToPath(new URL('../bench/checkpoints-worker.mjs', import.meta.url))
const FOLDERS = 40
const FILES_A_FOLDER = 10
/** Bytes that 500 checkpoints of a few changes may take. */
const MOST_BYTES_OF_500 = 30_000_000

const git = (folder, ...options) =>
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'gc.auto=0', '-c', 'protocol.file.allow=always', ...options],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  )

const pathOf = (root, index) => join(root, `folder-${index % FOLDERS}`, `file-${index}.txt`)

/** A repository with a nested one, a submodule, and files that a filter would change. */
function makeRepositories(base, random) {
  const [root, other] = [join(base, 'project'), join(base, 'other')]
  for (const folder of [other, join(root, 'nested')]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'own.c'), `int own = ${Math.floor(random() * 1e9)};\r\n`)
    git(folder, 'init', '-q')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', 'one')
  }
  git(root, 'init', '-q')
  git(root, 'config', 'filter.shout.clean', 'tr a-z A-Z')
  git(root, 'config', 'filter.shout.smudge', 'tr A-Z a-z')
  git(root, 'config', 'core.autocrlf', 'input')
  writeFileSync(join(root, '.gitattributes'), '*.shout filter=shout\n*.id ident\n')
  writeFileSync(join(root, 'a.shout'), 'a text that is kept in capitals\r\n')
  writeFileSync(join(root, 'b.id'), '$Id$\n')
  writeFileSync(join(root, '.gitignore'), 'ignored/\n')
  for (let index = 0; index < FOLDERS * FILES_A_FOLDER; index += 1) {
    mkdirSync(join(pathOf(root, index), '..'), { recursive: true })
    writeFileSync(pathOf(root, index), `${index} ${random()}\n`.repeat(1 + Math.floor(random() ** 3 * 400)))
  }
  git(root, 'submodule', '--quiet', 'add', other, 'module')
  git(root, '-c', 'advice.addEmbeddedRepo=false', 'add', '-A', '--', ':!nested')
  git(root, 'commit', '-q', '-m', 'one')
  return root
}

/** What is below a folder, with contents, permissions and times, as one hash. */
function hashOf(folder) {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const path = join(folder, name)
    const { mode, mtimeMs, size } = lstatSync(path)
    hash.update(JSON.stringify([name, mode, mtimeMs, size]))
    if (lstatSync(path).isFile()) hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** Every file of the user's with its content; not what git keeps. */
const contentsOf = (root) =>
  Object.fromEntries(
    readdirSync(root, { recursive: true })
      .filter((name) => !/(?:^|[/\\])\.git(?:[/\\]|$)/.test(name) && !lstatSync(join(root, name)).isDirectory())
      .sort()
      .map((name) => {
        const path = join(root, name)
        return [name, lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'latin1')]
      }),
  )

/** The bytes of all files below a folder. */
const bytesBelow = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => lstatSync(join(folder, name)))
    .reduce((sum, facts) => sum + (facts.isFile() ? facts.size : 0), 0)

/** Changes some files; returns their paths. */
function change(root, random, round) {
  const paths = Array.from({ length: 4 }, () => pathOf(root, Math.floor(random() * FOLDERS * FILES_A_FOLDER)))
  for (const path of paths) appendFileSync(path, `round ${round}\n`)
  const extra = join(root, `new-${round % 7}.txt`)
  if (round % 3 === 0) rmSync(extra, { force: true })
  else writeFileSync(extra, `made in round ${round}\n`)
  return [...paths, extra]
}

/** Runs a process that is killed after a while, or comes to its end before. */
const killedAfter = (ms, work, root, data) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, worker, work, root, data], { stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve(signal === 'SIGKILL')
    })
  })

/**
 * Proves that checkpoints leave the user's repositories as they are, and are whole after kills.
 * @type {import('./index.mjs').Check}
 */
export async function checkpoints({ quick, seed, log }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-check-checkpoints-')))
  const random = randomNumbers(seed)
  const [rounds, kills, counted] = quick ? [20, 8, 50] : [100, 40, 500]
  try {
    const root = makeRepositories(base, random)
    const data = join(base, 'data')
    const snapshots = createSnapshotRepository({ dataFolder: data, home: base })
    let made = 0
    const request = (kind = 'manual') => {
      made += 1
      return { id: `check-${made}`, sessionId: null, at: Date.now() + made, kind, label: null }
    }
    const users = () => [join(root, '.git'), join(root, 'nested', '.git'), join(base, 'other', '.git')].map(hashOf)
    const before = users()
    await snapshots.capture(root, request())
    for (let round = 0; round < rounds; round += 1) {
      const paths = change(root, random, round)
      const then = contentsOf(root)
      const { snapshot } = await snapshots.capture(root, request(), round % 2 === 0 ? {} : { paths })
      const changed = change(root, random, round + 1)
      const options = round % 4 < 2 ? {} : { paths: [...changed, ...paths] }
      const { undo, untouched } = await snapshots.restore(root, snapshot, request('before-restore'), options)
      assert.deepEqual(
        [contentsOf(root), untouched],
        [then, []],
        `round ${round} of --seed ${seed} gives the files back`,
      )
      if (round % 5 === 0 && undo !== null) await snapshots.restore(root, undo, request('before-restore'))
      if (round % 25 === 24)
        await snapshots.prune(root, { maximumAgeDays: 30, maximumCount: 10, maximumBytes: 1e9 }, Date.now())
    }
    log(`checkpoints: ${rounds} rounds; killing`)
    change(root, random, rounds)
    const started = performance.now()
    await killedAfter(600_000, 'create', root, data)
    const usualMs = performance.now() - started
    let killed = 0
    for (let round = 0; round < kills; round += 1) {
      change(root, random, round)
      if (await killedAfter(usualMs * (0.2 + random()), round % 2 === 0 ? 'create' : 'restore', root, data)) killed += 1
      await snapshots.resume(root)
    }
    const [repository] = readdirSync(join(data, 'checkpoints')).map((name) => join(data, 'checkpoints', name))
    const bytesBefore = bytesBelow(repository)
    for (let round = 0; round < counted; round += 1)
      await snapshots.capture(root, request(), { paths: change(root, random, round) })
    const growth = bytesBelow(repository) - bytesBefore
    const allowed = (MOST_BYTES_OF_500 / 500) * counted
    assert.ok(growth <= allowed, `${counted} checkpoints took ${growth} bytes, more than ${allowed}`)
    const whole = execFileSync('git', ['--git-dir', repository, 'fsck', '--full', '--strict', '--no-dangling'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    assert.equal(whole, '', 'git fsck finds nothing')
    assert.deepEqual(users(), before, "the user's repositories are as they were")
    return `${rounds} rounds of making and restoring, ${killed} of ${kills} processes killed, ${counted} more checkpoints took ${(growth / 1e6).toFixed(1)} MB; git fsck is clean, three .git folders are as they were`
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}
