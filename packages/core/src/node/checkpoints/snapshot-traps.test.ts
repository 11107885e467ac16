/** What has lost files in other tools: nested repositories, filters, links, secrets, files that change meanwhile. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Snapshot, SnapshotRepository, SnapshotRequest } from '../../ports/snapshot-repository.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'
import { everythingIn, writeFiles } from './trees.fixture.ts'

let base = ''
let root = ''
let snapshots: SnapshotRepository
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-traps-')))
  root = join(base, 'project')
  mkdirSync(root)
  snapshots = createSnapshotRepository({ dataFolder: join(base, 'data'), home: join(base, 'home') })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

let last = 0
const request = (kind: SnapshotRequest['kind'] = 'manual'): SnapshotRequest => {
  last += 1
  return { id: `id${last}`, sessionId: 'cairn:s/1 ü', at: 1_700_000_000_000 + last * 1_000, kind, label: 'a “label”' }
}
const take = async (): Promise<Snapshot> => (await snapshots.capture(root, request())).snapshot
const restore = (target: Snapshot) => snapshots.restore(root, target, request('before-restore'))
const git = (folder: string, ...options: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always', ...options], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
  })
const commitAll = (folder: string): void => {
  git(folder, 'init', '-q')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'one', '--allow-empty')
}
const gitFiles = (...folders: readonly string[]): unknown =>
  folders.map((folder) => [
    everythingIn(folder),
    Object.keys(everythingIn(folder)).map((path) => lstatSync(join(folder, path)).mtimeMs),
  ])

describe('Snapshots of repositories', () => {
  it('hold nested repositories, submodules and worktrees as folders, and write to none of them', async () => {
    writeFiles(base, { 'library/lib.c': 'int lib;\n' })
    commitAll(join(base, 'library'))
    writeFiles(root, {
      'main.c': 'int main;\n',
      'nested/inner.c': 'int inner;\n',
      'nested/.gitignore': '*.o\n',
      'nested/inner.o': 'object',
      'fresh/new.c': 'new\n',
    })
    commitAll(join(root, 'nested'))
    git(join(root, 'fresh'), 'init', '-q')
    git(root, 'init', '-q')
    git(root, 'submodule', '--quiet', 'add', join(base, 'library'), 'sub')
    git(root, 'add', 'main.c')
    git(root, 'commit', '-qm', 'one')
    git(root, 'worktree', 'add', '-q', 'tree')
    const own = ['.git', 'nested/.git', 'fresh/.git'].map((path) => join(root, path))
    const before = gitFiles(...own)

    const snapshot = await take()
    const captured = everythingIn(root)
    writeFiles(root, {
      'nested/inner.c': 'changed',
      'sub/lib.c': 'changed',
      'tree/main.c': 'changed',
      'fresh/new.c': '',
    })
    rmSync(join(root, 'main.c'))
    await restore(snapshot)
    expect(everythingIn(root)).toEqual(captured)
    expect(gitFiles(...own)).toEqual(before)
    expect((await snapshots.leftOut(root, snapshot)).map(({ path }) => path)).toEqual(['nested/inner.o'])
    expect(git(root, 'status', '--porcelain', '--', 'main.c', 'sub')).not.toContain('main.c')
  }, 60_000)

  it('keep what is on the disk, whatever filters, line ends and encodings attributes ask for', async () => {
    writeFiles(root, {
      '.gitattributes':
        '*.bin filter=lfs diff=lfs merge=lfs -text\n*.txt text eol=crlf ident\n*.u16 working-tree-encoding=UTF-16\n',
      'big.bin': 'the real content, not a pointer',
      'a.txt': 'one\ntwo\r\n$Id$\n',
      'w.u16': Buffer.from('\ufeffhello', 'utf16le'),
    })
    git(root, 'init', '-q')
    git(root, 'config', 'filter.lfs.clean', 'echo pointer')
    git(root, 'config', 'filter.lfs.smudge', 'echo smudged')
    git(root, 'config', 'filter.lfs.required', 'true')
    git(root, 'config', 'core.autocrlf', 'true')
    const captured = everythingIn(root)
    const snapshot = await take()
    for (const name of ['big.bin', 'a.txt', 'w.u16']) rmSync(join(root, name))
    await restore(snapshot)
    expect(everythingIn(root)).toEqual(captured)
  }, 60_000)

  it('hold files that git tracks though a rule ignores them, and those of a sparse checkout that are there', async () => {
    writeFiles(root, { 'dist/kept.js': 'kept', 'dist/other.js': 'other', 'src/a.c': 'a', 'docs/b.md': 'b' })
    git(root, 'init', '-q')
    git(root, 'add', 'dist/kept.js', 'src', 'docs')
    writeFiles(root, { '.gitignore': 'dist/\n' })
    git(root, 'add', '.gitignore')
    git(root, 'commit', '-qm', 'one')
    git(root, 'sparse-checkout', 'set', '--cone', 'src', 'dist')
    const snapshot = await take()
    const captured = everythingIn(root)
    expect(existsSync(join(root, 'docs'))).toBe(false)
    writeFiles(root, { 'dist/kept.js': 'changed', 'dist/other.js': 'changed' })
    await restore(snapshot)
    expect(readFileSync(join(root, 'dist/kept.js'), 'utf8')).toBe('kept')
    expect(readFileSync(join(root, 'dist/other.js'), 'utf8')).toBe('changed')
    expect({ ...everythingIn(root), 'dist/other.js': '' }).toEqual({ ...captured, 'dist/other.js': '' })
  }, 60_000)

  it('follow the rules of info/exclude and core.excludesFile, and of a repository around the folder', async () => {
    writeFiles(base, {
      'mine-ignored': '*.mine\n',
      '.gitconfig': `[core]\n\texcludesFile = ${join(base, 'mine-ignored')}\n`,
    })
    writeFiles(root, {
      'a.mine': '',
      'b.local': '',
      'c.txt': '',
      'part/d.top': '',
      'part/e.txt': '',
      '.gitignore': 'part/*.top\n',
    })
    git(root, 'init', '-q')
    git(root, 'config', 'core.excludesFile', join(base, 'mine-ignored'))
    writeFiles(root, { '.git/info/exclude': '*.local\n' })
    expect((await snapshots.leftOut(root, await take())).map(({ path }) => path)).toEqual([
      'a.mine',
      'b.local',
      'part/d.top',
    ])
    const part = join(root, 'part')
    const { snapshot } = await snapshots.capture(part, request())
    expect((await snapshots.leftOut(part, snapshot)).map(({ path }) => path)).toEqual(['d.top'])
  }, 60_000)
})

describe('A restore', () => {
  it('touches nothing that no snapshot holds', async () => {
    writeFiles(root, { 'a.txt': 'a', 'folder/b.txt': 'b', '.gitignore': '' })
    const snapshot = await take()
    // What stands in the way now is ignored, a secret, too large: lost if it were overwritten.
    rmSync(join(root, 'folder'), { recursive: true })
    writeFiles(root, { '.gitignore': 'folder\n', folder: 'precious', '.env.local': 'KEY=1', 'a.txt': 'changed' })
    const first = await restore(snapshot)
    expect(first.untouched).toEqual([{ path: 'folder/b.txt', why: expect.stringContaining('ignored by git') }])
    expect(readFileSync(join(root, 'folder'), 'utf8')).toBe('precious')
    expect(readFileSync(join(root, '.env.local'), 'utf8')).toBe('KEY=1')
    writeFileSync(join(root, 'a.txt'), Buffer.alloc(11 * 1024 * 1024, 1))
    const second = await restore(snapshot)
    expect(second.untouched.map(({ path }) => path)).toContain('a.txt')
    expect(lstatSync(join(root, 'a.txt')).size).toBe(11 * 1024 * 1024)
  }, 60_000)

  it('removes no file that its checkpoint had left out, and keeps folders with such files', async () => {
    writeFiles(root, { '.gitignore': 'out/\n', 'out/keep': 'k', 'key.pem': 'secret', 'a.txt': 'a' })
    const snapshot = await take()
    writeFiles(root, { '.gitignore': '', 'd/new.txt': 'n', 'd/id_rsa': 'secret' })
    renameSync(join(root, 'key.pem'), join(root, 'key.txt'))
    const outcome = await restore(snapshot)
    expect(outcome.untouched.map(({ path }) => path)).toEqual(['out/keep'])
    expect(Object.keys(everythingIn(root))).toEqual(['.gitignore', 'a.txt', 'd', 'd/id_rsa', 'out', 'out/keep'])
    expect(await restoreLast()).toContain('key.txt')
  }, 60_000)

  const restoreLast = async (): Promise<readonly string[]> => {
    const undo = (await snapshots.list(root)).find(({ kind }) => kind === 'before-restore')
    if (undo === undefined) throw new Error('there is an undo')
    await restore(undo)
    return Object.keys(everythingIn(root))
  }

  it('follows no link that took the place of a folder', async () => {
    writeFiles(root, { 'd/a.txt': 'inside' })
    const snapshot = await take()
    mkdirSync(join(base, 'outside'))
    writeFiles(base, { 'outside/a.txt': 'outside', 'outside/other': 'x' })
    rmSync(join(root, 'd'), { recursive: true })
    symlinkSync('../outside', join(root, 'd'))
    await restore(snapshot)
    expect(readFileSync(join(base, 'outside/a.txt'), 'utf8')).toBe('outside')
    expect(lstatSync(join(root, 'd')).isDirectory()).toBe(true)
    expect(await restoreLast()).toEqual(['d'])
    expect(lstatSync(join(root, 'd')).isSymbolicLink()).toBe(true)
    expect(everythingIn(join(base, 'outside'))).toEqual({ 'a.txt': '644 outside', other: '644 x' })
  }, 60_000)

  it('changes nothing when files changed after the preview', async () => {
    writeFiles(root, { 'a.txt': 'one', 'b.txt': 'one' })
    const snapshot = await take()
    writeFiles(root, { 'a.txt': 'two' })
    const { token, differences } = await snapshots.preview(root, snapshot)
    expect(differences.map(({ path, change }) => [path, change])).toEqual([['a.txt', 'modified']])
    writeFiles(root, { 'b.txt': 'two' })
    const before = everythingIn(root)
    await expect(snapshots.restore(root, snapshot, request('before-restore'), { token })).rejects.toMatchObject({
      code: 'file-conflict',
    })
    expect(everythingIn(root)).toEqual(before)
    expect((await snapshots.list(root)).map(({ id }) => id)).toEqual([snapshot.id])
  }, 60_000)
})

describe('A snapshot', () => {
  it('sees every change, also of a file whose size and time stay', async () => {
    writeFiles(root, { 'a.txt': 'aaaa', 'b.txt': 'bbbb' })
    const first = await take()
    const time = lstatSync(join(root, 'a.txt')).mtime
    writeFileSync(join(root, 'a.txt'), 'AAAA')
    utimesSync(join(root, 'a.txt'), time, time)
    chmodSync(join(root, 'b.txt'), 0o600)
    const second = await take()
    expect(await snapshots.differences(root, first, second)).toEqual([
      { path: 'a.txt', change: 'modified', modes: [0o644, 0o644] },
      { path: 'b.txt', change: 'mode', modes: [0o644, 0o600] },
    ])
    expect(second).toMatchObject({ label: 'a “label”', sessionId: 'cairn:s/1 ü', files: 2, bytes: 8 })
    expect(await snapshots.list(root)).toEqual([second, first])
  }, 60_000)

  it('names what it leaves out: sockets and pipes, other spellings of .git, its own data', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')])
    writeFiles(root, {
      '.GIT/config': 'x',
      'git~1': 'x',
      '.git. /y': 'x',
      'sub/.git\u200c/z': 'x',
      'a.txt': 'a',
      '.env.example': 'KEY=\n',
    })
    const inside = createSnapshotRepository({ dataFolder: join(root, '.data'), home: join(base, 'home') })
    mkdirSync(join(root, '.data'))
    const { snapshot, leftOut } = await inside.capture(root, request())
    expect(leftOut.map(({ path, reason }) => [path, reason]).toSorted()).toEqual([
      ['.GIT', 'reserved'],
      ['.data', 'own-data'],
      ['.git. ', 'reserved'],
      ['git~1', 'reserved'],
      ['pipe', 'special'],
      ['sub/.git\u200c', 'reserved'],
    ])
    expect(snapshot.files).toBe(2)
  }, 60_000)

  it('names files and folders that may not be read, and a restore leaves them alone', () => {
    writeFiles(root, { 'a.txt': 'a', 'closed.txt': 'c', 'locked/b.txt': 'b', 'locked/c/d.txt': 'd' })
    const isSuperuser = process.getuid?.() === 0
    // Nobody may read everything but the superuser, who here becomes somebody else.
    const user = isSuperuser ? { uid: 65_534, gid: 65_534 } : {}
    if (isSuperuser) execFileSync('chown', ['-R', '65534:65534', base])
    const script = `
      const { chmodSync, readFileSync, writeFileSync } = await import('node:fs')
      const { createSnapshotRepository } = await import(process.env.MODULE)
      const [root, setting] = [process.env.ROOT, JSON.parse(process.env.SETTING)]
      const snapshots = createSnapshotRepository(setting)
      const request = (id, kind) => ({ id, sessionId: null, at: 1, kind, label: null })
      chmodSync(root + '/closed.txt', 0)
      chmodSync(root + '/locked', 0)
      const { snapshot, leftOut } = await snapshots.capture(root, request('one', 'manual'))
      chmodSync(root + '/closed.txt', 0o644)
      chmodSync(root + '/locked', 0o755)
      writeFileSync(root + '/a.txt', 'changed')
      const { restored, removed, untouched } = await snapshots.restore(root, snapshot, request('two', 'before-restore'))
      const rest = [root + '/a.txt', root + '/closed.txt', root + '/locked/c/d.txt'].map((path) => readFileSync(path, 'utf8'))
      console.log(JSON.stringify({ files: snapshot.files, leftOut, restored, removed, untouched: untouched.length, rest }))
    `
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      ...user,
      cwd: base,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: base,
        MODULE: new URL('snapshot-repository.ts', import.meta.url).href,
        ROOT: root,
        SETTING: JSON.stringify({ dataFolder: join(base, 'data'), home: join(base, 'home') }),
      },
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      files: 1,
      leftOut: [
        { path: 'locked', isFolder: true, reason: 'unreadable' },
        { path: 'closed.txt', isFolder: false, reason: 'unreadable' },
      ],
      restored: 1,
      removed: 0,
      untouched: 3,
      rest: ['a', 'c', 'd'],
    })
  }, 60_000)

  it('leaves out its data folder behind a link, and the store with its log, which a restore leaves alone', async () => {
    writeFiles(root, { 'a.txt': 'a', 'own/data.txt': 'x', 's.db': 'store', 's.db-wal': 'log', 's.dbx': 'other' })
    symlinkSync(root, join(base, 'link'))
    const setting = { dataFolder: join(base, 'link', 'own'), home: join(base, 'home') }
    const before = await createSnapshotRepository(setting).capture(root, request())
    const inside = createSnapshotRepository({ ...setting, storeFile: join(base, 'link', 's.db') })
    const { snapshot, leftOut } = await inside.capture(root, request())
    expect(leftOut.map(({ path, reason }) => [path, reason]).toSorted()).toEqual([
      ['own', 'own-data'],
      ['s.db', 'own-data'],
      ['s.db-wal', 'own-data'],
    ])
    expect([before.snapshot.files, snapshot.files]).toEqual([4, 2])
    writeFiles(root, { 'a.txt': 'b', 's.db': 'store, written to', 's.db-wal': 'another log' })
    for (const target of [snapshot, before.snapshot]) await inside.restore(root, target, request('before-restore'))
    expect(['a.txt', 's.db', 's.db-wal'].map((path) => readFileSync(join(root, path), 'utf8'))).toEqual([
      'a',
      'store, written to',
      'another log',
    ])
  }, 60_000)

  it('counts what changed since the one before, also where a diff has read it already', async () => {
    writeFiles(root, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    const first = await take()
    writeFiles(root, { 'a.txt': 'changed', 'd.txt': 'd' })
    await snapshots.differences(root, first, 'now')
    expect((await snapshots.capture(root, request())).changed).toBe(2)
    expect((await snapshots.capture(root, request())).changed).toBe(0)
  }, 60_000)

  it('does not wait for a pipe or a device that is called .git', async () => {
    writeFiles(root, { 'a.txt': 'a', 'sub/b.txt': 'b', 'other/c.txt': 'c' })
    execFileSync('mkfifo', [join(root, '.git'), join(root, 'sub', '.git')])
    symlinkSync('/dev/zero', join(root, 'other', '.git'))
    expect((await take()).files).toBe(3)
  }, 60_000)

  it('is listed while another one is being made, and while nothing can be written', async () => {
    writeFiles(root, { 'a.txt': 'a' })
    const snapshot = await take()
    const folder = join(base, 'data', 'checkpoints', readdirSync(join(base, 'data', 'checkpoints'))[0] ?? '')
    // What no lease can be made over, whoever asks.
    mkdirSync(join(folder, 'cairn.lock', 'in'), { recursive: true })
    mkdirSync(join(folder, `cairn.lock.${process.pid}`))
    expect([await snapshots.resume(root), await snapshots.list(root)]).toEqual([undefined, [snapshot]])
    await expect(take()).rejects.toMatchObject({
      code: 'storage-failed',
      message: expect.stringContaining(`Nothing can be written to ${folder}`),
    })
  }, 60_000)

  it('is rebuilt in full when its cache or the tree below it is damaged', async () => {
    writeFiles(root, { 'a.txt': 'a', 'd/b.txt': 'b' })
    await take()
    const repository = join(
      base,
      'data',
      'checkpoints',
      Object.keys(everythingIn(join(base, 'data', 'checkpoints')))[0] ?? '',
    )
    const cache = join(repository, 'cairn-files')
    writeFileSync(cache, readFileSync(cache, 'utf8').replace(/"tree":"[0-9a-f]{40}"/, `"tree":"${'1'.repeat(40)}"`))
    writeFiles(root, { 'a.txt': 'changed' })
    const second = await take()
    writeFileSync(cache, readFileSync(cache).subarray(0, -20))
    rmSync(join(root, 'd'), { recursive: true })
    await take()
    await restore(second)
    expect(everythingIn(root)).toEqual({ 'a.txt': '644 changed', d: '755 folder', 'd/b.txt': '644 b' })
    expect(git(repository, '--git-dir=.', 'fsck', '--full', '--strict')).not.toMatch(/missing|error/)
  }, 60_000)

  it('holds what changed between two others in a folder whose cache is kept in two parts', async () => {
    const names = Array.from(
      { length: 2_100 },
      (_, number) => [`d${number % 30}/${number}.txt`, `${number}\n`] as const,
    )
    writeFiles(root, Object.fromEntries(names))
    await take()
    writeFiles(root, { 'd1/1.txt': 'other', 'd1/new.txt': 'new', 'd2/2.txt': 'longer than before' })
    rmSync(join(root, 'd3/3.txt'))
    snapshots = createSnapshotRepository({ dataFolder: join(base, 'data'), home: join(base, 'home') })
    const second = await take()
    const then = everythingIn(root)
    writeFiles(root, { 'd3/3.txt': 'is back', 'd2/2.txt': 'short' })
    rmSync(join(root, 'd1/new.txt'))
    rmSync(join(root, 'd7'), { recursive: true })
    const third = await take()
    const now = everythingIn(root)
    await restore(second)
    expect(everythingIn(root)).toEqual(then)
    await restore(third)
    expect(everythingIn(root)).toEqual(now)
  }, 120_000)
})
