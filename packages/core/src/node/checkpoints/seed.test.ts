/** First snapshots of repositories, with contents copied from the user's packs: they hold what the disk holds, whatever the index says. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crashAt } from '../crash-at-change.fixture.ts'
import { blobOf } from './read-stable.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { everythingIn, makeTree, seeded, writeFiles } from './trees.fixture.ts'

/** `CAIRN_SEED_TREES=100` for a long look. */
const TREES = Number(process.env['CAIRN_SEED_TREES'] ?? 12)
/** Of a tree, at least; fewer are not worth a pack of their own. */
const FILES = 220

let base = ''
let root = ''
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-seed-')))
  root = join(base, 'project')
  mkdirSync(root)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const run = (folder: string, options: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always', ...options], {
    cwd: folder,
    encoding: 'latin1',
    env: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1', ...more },
  })
const git = (folder: string, ...options: readonly string[]): string => {
  const { status, stdout, stderr } = run(folder, options)
  if (status !== 0) throw new Error(`git ${options.join(' ')}: ${stderr}`)
  return stdout
}

let last = 0
const request = () => {
  last += 1
  return {
    id: `id${last}`,
    sessionId: null,
    at: 1_700_000_000_000 + last * 1_000,
    kind: 'manual' as const,
    label: null,
  }
}
const setting = (name: string) => ({ dataFolder: join(base, name), home: join(base, 'home') })

interface Taken {
  readonly tree: string
  readonly packs: number
  /** Ids by path, as bytes. */
  readonly blobs: Readonly<Record<string, string>>
}

/** Takes a snapshot into a data folder, checks that it is whole, and says what it holds. */
const take = async (name: string, from = root): Promise<Taken> => {
  const { snapshot } = await createSnapshotRepository(setting(name)).capture(from, request())
  const folder = join(base, name, 'checkpoints')
  const gitFolder = join(folder, readdirSync(folder)[0] ?? '')
  const inPrivate = (...options: readonly string[]): string => {
    const { status, stdout, stderr } = run(base, options, { GIT_DIR: gitFolder })
    if (status !== 0) throw new Error(`${options.join(' ')}: ${stderr}`)
    return stdout
  }
  inPrivate('-c', 'fsck.gitattributesBlob=ignore', 'fsck', '--full', '--no-dangling')
  const rows = inPrivate('ls-tree', '-r', '-z', `${snapshot.commit}:files`).split('\0').slice(0, -1)
  return {
    tree: inPrivate('rev-parse', `${snapshot.commit}:files`).trim(),
    packs: readdirSync(join(gitFolder, 'objects', 'pack')).filter((each) => each.endsWith('.pack')).length,
    blobs: Object.fromEntries(
      rows.map((row) => [row.slice(row.indexOf('\t') + 1), row.split(' ')[2]?.slice(0, 40) ?? '']),
    ),
  }
}

/** Ids of all files on the disk, by path as bytes; without repositories' own folders. */
const onDisk = (from = root): Readonly<Record<string, string>> => {
  const ids: Record<string, string> = {}
  for (const path of Object.keys(everythingIn(from))) {
    if (path.split('/').includes('.git')) continue
    const file = Buffer.concat([Buffer.from(`${from}/`), Buffer.from(path, 'latin1')])
    const facts = lstatSync(file)
    if (facts.isSymbolicLink()) ids[path] = blobOf(readlinkSync(file, { encoding: 'buffer' }))
    else if (facts.isFile()) ids[path] = blobOf(readFileSync(file))
  }
  return ids
}

/** What is in a repository's own folder, with the times. */
const ownFiles = (withTimes = true): unknown => {
  const folder = join(root, '.git')
  const timeOf = (path: string): number | undefined => (withTimes ? statSync(join(folder, path)).mtimeMs : undefined)
  return Object.entries(everythingIn(folder)).map(([path, what]) => [path, what, timeOf(path)])
}

const fill = (folder: string, random: (below: number) => number): void => {
  const files: Record<string, string> = {}
  for (let index = 0; index < FILES; index += 1) {
    const end = random(3) === 0 ? '\r\n' : '\n'
    const extension = ['txt', 'shout', 'id', 'wide', 'bat', 'plain'][random(6)] ?? 'txt'
    files[`bulk/${index % 7}/${index}.${extension}`] = `file ${index} ${random(1e9)} $Id$${end}`.repeat(
      1 + random(12) ** 2,
    )
  }
  writeFiles(folder, files)
}

const ATTRIBUTES = [
  '*.shout filter=shout',
  '*.id ident',
  '*.wide working-tree-encoding=ISO-8859-1',
  '*.bat text eol=crlf',
  '*.txt text',
  '* text=auto',
]

const addAll = (folder: string): void => {
  // Names and links that git refuses stay untracked.
  run(folder, ['add', '-A', '--ignore-errors'])
  git(folder, 'commit', '-qm', 'one', '--allow-empty')
}
const pack = (folder: string): string => git(folder, 'repack', '-adq')

const commitAll = (folder: string, ...options: readonly string[]): void => {
  git(folder, 'init', '-q', ...options)
  addAll(folder)
}

/** Writes other bytes of the same size, under the same time. */
const changeUnseen = (path: string): void => {
  const { mtime, atime } = statSync(path)
  const bytes = readFileSync(path)
  bytes[0] = (bytes[0] ?? 0) ^ 1
  writeFileSync(path, bytes)
  utimesSync(path, atime, mtime)
}

const makeRandomRepository = (random: (below: number) => number): void => {
  makeTree(root, random)
  fill(root, random)
  git(root, 'init', '-q')
  git(root, 'config', 'core.autocrlf', ['true', 'input', 'false'][random(3)] ?? 'true')
  git(root, 'config', 'core.safecrlf', 'false')
  git(root, 'config', 'filter.shout.clean', 'tr a-z A-Z')
  writeFileSync(join(root, '.git', 'info', 'attributes'), ATTRIBUTES.filter(() => random(2) === 0).join('\n'))
  addAll(root)
  if (random(4) > 0) pack(root)
  // A filter that was in force when its files were added, and is no more.
  if (random(2) === 0) rmSync(join(root, '.git', 'info', 'attributes'))
  const tracked = git(root, 'ls-files', '-z', 'bulk').split('\0').slice(0, -1)
  for (const flag of ['--skip-worktree', '--assume-unchanged', '--no-skip-worktree']) {
    const paths = tracked.filter(() => random(30) === 0)
    git(root, 'update-index', flag, ...paths)
    for (const path of paths)
      if (random(3) === 0) appendFileSync(join(root, path), 'more\n')
      else changeUnseen(join(root, path))
  }
  writeFiles(root, { 'empty-intended': '', 'intended.txt': 'not added yet\n' })
  git(root, 'add', '-N', 'empty-intended', 'intended.txt')
}

describe('The first snapshot of a repository', () => {
  it(`holds ${TREES} random ones byte by byte, as one does that copies nothing`, async () => {
    let copied = 0
    for (let seed = 1; seed <= TREES; seed++) {
      makeRandomRepository(seeded(seed))
      const before = ownFiles()
      const taken = await take(`data-${seed}`)
      expect({ seed, own: ownFiles() }).toEqual({ seed, own: before })
      expect({ seed, blobs: taken.blobs }).toEqual({ seed, blobs: onDisk() })
      // With objects of a third repository nothing is copied.
      writeFileSync(join(root, '.git', 'objects', 'info', 'alternates'), '')
      const plain = await take(`plain-${seed}`)
      expect({ seed, tree: taken.tree, packs: plain.packs }).toEqual({ seed, tree: plain.tree, packs: 1 })
      copied += taken.packs - 1
      for (const name of ['project', `data-${seed}`, `plain-${seed}`])
        rmSync(join(base, name), { recursive: true, force: true })
      mkdirSync(root)
    }
    expect(copied).toBeGreaterThan(TREES / 3)
  }, 1_800_000)

  const clone = (...options: readonly string[]): void => {
    const source = join(base, 'source')
    mkdirSync(source)
    fill(source, seeded(5))
    commitAll(source)
    appendFileSync(join(source, 'bulk', '0', readdirSync(join(source, 'bulk', '0'))[0] ?? ''), 'two\n')
    git(source, 'commit', '-qam', 'two')
    pack(source)
    git(source, 'config', 'uploadpack.allowFilter', 'true')
    git(base, 'clone', '-q', ...options, options.includes('--shared') ? source : `file://${source}`, root)
  }
  const KINDS: readonly (readonly [string, number, () => void])[] = [
    ['a clone', 2, () => clone()],
    ['a shallow clone', 2, () => clone('--depth=1')],
    ['a partial clone whose files were fetched', 2, () => clone('--filter=blob:none')],
    [
      'a partial clone without files',
      1,
      () => {
        clone('--filter=blob:none', '--no-checkout')
        git(root, 'read-tree', 'HEAD')
        fill(root, seeded(5))
      },
    ],
    ['a clone that shares objects', 1, () => clone('--shared')],
    [
      'a sparse checkout',
      1,
      () => {
        clone()
        git(
          root,
          'sparse-checkout',
          'set',
          '--cone',
          '--sparse-index',
          'bulk/1',
          'bulk/2',
          'bulk/3',
          'bulk/4',
          'bulk/5',
        )
        fill(root, seeded(6))
        git(root, 'checkout', '-q', '--', 'bulk/1')
      },
    ],
    [
      'a split index',
      1,
      () => {
        clone()
        git(root, 'update-index', '--split-index')
      },
    ],
    [
      'a repository of loose objects',
      1,
      () => {
        fill(root, seeded(5))
        commitAll(root)
      },
    ],
    [
      'a repository with another hash function',
      1,
      () => {
        fill(root, seeded(5))
        commitAll(root, '--object-format=sha256')
        pack(root)
      },
    ],
    [
      'a conflict, a submodule and a nested repository',
      2,
      () => {
        clone()
        git(root, 'submodule', '--quiet', 'add', `file://${join(base, 'source')}`, 'sub')
        writeFiles(root, { 'nested/inner.c': 'int inner;\n', 'both.txt': 'one\n' })
        commitAll(join(root, 'nested'))
        git(root, 'add', 'both.txt')
        git(root, 'commit', '-qm', 'base')
        git(root, 'branch', 'other')
        for (const text of ['ours\n', 'theirs\n']) {
          if (text === 'theirs\n') git(root, 'checkout', '-q', 'other')
          writeFiles(root, { 'both.txt': text })
          git(root, 'commit', '-qam', text)
        }
        expect(run(root, ['merge', '-q', '@{-1}']).status).toBe(1)
      },
    ],
  ]
  it.each(KINDS)(
    'of %s makes %i pack(s)',
    async (kind, packs, make) => {
      rmSync(root, { recursive: true })
      mkdirSync(root)
      make()
      // When git reads such an index, as it does to tell which ignored files are tracked, it renews the times of what it reads.
      const withTimes = !/sparse|split/.test(kind)
      const before = ownFiles(withTimes)
      const taken = await take('data')
      expect(ownFiles(withTimes)).toEqual(before)
      expect(taken.blobs).toEqual(onDisk())
      expect(taken.packs).toBe(packs)
    },
    60_000,
  )

  const packsOf = (): readonly string[] =>
    readdirSync(join(root, '.git', 'objects', 'pack')).filter((name) => name.endsWith('.pack'))

  it('of a repository with a damaged pack reads everything from the disk', async () => {
    fill(root, seeded(5))
    // Nearly all of the pack, so that the middle of it is damaged for certain in this content.
    const random = seeded(7)
    writeFileSync(join(root, 'large.bin'), Buffer.from(Array.from({ length: 2_000_000 }, () => random(256))))
    commitAll(root)
    pack(root)
    const path = join(root, '.git', 'objects', 'pack', packsOf()[0] ?? '')
    const bytes = readFileSync(path)
    const middle = Math.floor(bytes.length / 2)
    bytes.fill(0, middle, middle + 40)
    chmodSync(path, 0o600)
    writeFileSync(path, bytes)
    const taken = await take('data')
    expect(taken.blobs).toEqual(onDisk())
    expect(taken.packs).toBe(1)
  }, 60_000)

  it('takes no loose object, which may hold the bytes of another', async () => {
    fill(root, seeded(5))
    commitAll(root)
    pack(root)
    writeFiles(root, { 'one.txt': 'the one\n', 'two.txt': 'the two\n' })
    addAll(root)
    const [one, two] = ['the one\n', 'the two\n'].map((text) => {
      const id = blobOf(Buffer.from(text))
      return join(root, '.git', 'objects', id.slice(0, 2), id.slice(2))
    })
    chmodSync(two ?? '', 0o600)
    copyFileSync(one ?? '', two ?? '')
    const taken = await take('data')
    expect(taken.blobs).toEqual(onDisk())
    expect(taken.packs).toBe(2)
  }, 60_000)

  it('can be killed before any change, and the next one is whole', async () => {
    fill(root, seeded(5))
    commitAll(root)
    pack(root)
    const script = `
      const { createSnapshotRepository } = await import(process.env.MODULE)
      await createSnapshotRepository(JSON.parse(process.env.SETTING)).capture(process.env.ROOT, JSON.parse(process.env.REQUEST))
    `
    const environment = (name: string): NodeJS.ProcessEnv => ({
      PATH: process.env['PATH'],
      HOME: base,
      ROOT: root,
      MODULE: new URL('snapshot-repository.ts', import.meta.url).href,
      SETTING: JSON.stringify(setting(name)),
      REQUEST: JSON.stringify(request()),
    })
    const before = ownFiles()
    const { changes } = crashAt(script, environment('data'), 0)
    for (let at = 1; at <= changes; at += Math.ceil(changes / 8)) {
      expect(crashAt(script, environment(`data-${at}`), at)).toMatchObject({ isKilled: true })
      expect((await take(`data-${at}`)).blobs).toEqual(onDisk())
    }
    expect(ownFiles()).toEqual(before)
  }, 240_000)
})
