/** `cairn checkpoint` as a process: made, compared, given back, undone, pruned; and what it refuses. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
  execFileSync('git', ['init', '--quiet', join(box.folder, 'app')])
  box.file('app/src/a.txt', 'first\n')
  box.file('app/.env', 'KEY=1\n')
  box.file('app/.gitignore', 'out/\n*.log\n')
  box.file('app/out/built.js', 'built')
})
afterEach(() => box.remove())

const IN_APP = ['--workspace', 'app', '--store', 'file:s.db']
const checkpoint = (...args: readonly string[]) => box.cairn('checkpoint', ...args, ...IN_APP)
const json = async (...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
  (await box.json('checkpoint', ...args, ...IN_APP)) as Readonly<Record<string, unknown>>
const read = (path: string): string => readFileSync(join(box.folder, 'app', path), 'utf8')

describe('cairn doctor', () => {
  interface Checked {
    readonly checkpoints: {
      readonly folders: readonly {
        readonly root: string
        readonly checkpoints: number
        readonly fault: string | null
        readonly repair: { readonly setAside: string; readonly kept: number; readonly lost: number } | null
      }[]
      readonly missing: readonly { readonly root: string; readonly checkpoints: number }[]
    }
  }
  const doctor = async (...args: readonly string[]) => {
    const { code, stdout } = await box.cairn('doctor', '--json', ...args, '--store', 'file:s.db')
    return { code, ...(JSON.parse(stdout) as Checked).checkpoints }
  }

  it('finds damaged checkpoints, sets them aside and keeps those that are whole', async () => {
    const packs = (): readonly string[] => {
      const folder = join(box.folder, 'data', 'checkpoints')
      const inside = join(folder, readdirSync(folder)[0] ?? '', 'objects', 'pack')
      return readdirSync(inside).map((name) => join(inside, name))
    }
    const first = await json('create')
    const before = packs()
    box.file('app/src/large.txt', 'a line of some length\n'.repeat(900))
    await json('create')
    const sound = await doctor()
    expect(sound).toMatchObject({ code: 0, folders: [{ checkpoints: 2, fault: null, repair: null }], missing: [] })
    for (const path of packs()) if (path.endsWith('.pack') && !before.includes(path)) rmSync(path)

    const text = await box.cairn('doctor', '--store', 'file:s.db')
    expect(text.code).toBe(1)
    expect(text.stdout.replace(/\s+/g, ' ')).toMatch(
      /checkpoints: The checkpoints of \S+app are damaged .* cairn doctor --repair keeps them/,
    )
    expect((await checkpoint('list')).code).toBe(1)

    const repaired = await doctor('--repair')
    expect(repaired).toMatchObject({
      code: 0,
      folders: [{ repair: { kept: 1, lost: 1 } }],
      missing: [{ checkpoints: 1 }],
    })
    expect(existsSync(join(repaired.folders[0]?.repair?.setAside ?? 'none', 'cairn.json'))).toBe(true)
    expect(await json('list')).toMatchObject({ total: 1, checkpoints: [{ id: first['id'] }] })
    box.file('app/src/a.txt', 'changed\n')
    expect(await json('restore', 'latest', '--yes')).toMatchObject({ restored: 1, removed: 1 })
    expect(read('src/a.txt')).toBe('first\n')
    const after = await box.cairn('doctor', '--store', 'file:s.db')
    expect(after.code).toBe(0)
    expect(after.stdout.replace(/\s+/g, ' ')).toMatch(
      /the store has 1 checkpoint on record whose files are not here: 1 of \S+app;/,
    )
  }, 120_000)
})

describe('cairn checkpoint', () => {
  it('keeps files, names what it leaves out, gives them back and takes that back', async () => {
    const created = await json('create', '--label', 'before')
    expect(created).toMatchObject({ files: 2, bytes: 17, label: 'before', sessionId: null })
    expect(created['leftOut']).toEqual(
      expect.arrayContaining([
        { path: '.env', isFolder: false, reason: 'secret' },
        { path: 'out', isFolder: true, reason: 'ignored' },
      ]),
    )
    box.file('app/src/a.txt', 'second\n')
    box.file('app/new/b.txt', 'new\n')
    box.file('app/out/built.js', 'built again')

    const diff = await json('diff', 'latest')
    expect(diff['files']).toEqual([
      expect.objectContaining({ path: 'new/b.txt', change: 'added', patch: ['@@ -0,0 +1,1 @@', '+new'] }),
      expect.objectContaining({
        path: 'src/a.txt',
        change: 'modified',
        patch: ['@@ -1,1 +1,1 @@', '-first', '+second'],
      }),
    ])

    const refused = await checkpoint('restore', 'latest')
    expect([refused.code, read('src/a.txt')]).toEqual([3, 'second\n'])
    expect(refused.stdout).toContain('Would be removed, as they came since: 1 file\n  new/b.txt')
    expect(refused.stderr).toContain('nothing was changed')

    const restored = await json('restore', 'latest', '--yes')
    expect(restored).toMatchObject({ id: created['id'], restored: 1, removed: 1, untouched: [] })
    expect([read('src/a.txt'), existsSync(join(box.folder, 'app/new'))]).toEqual(['first\n', false])
    expect([read('.env'), read('out/built.js')]).toEqual(['KEY=1\n', 'built again'])

    expect(await json('undo', '--yes')).toMatchObject({ id: restored['undoId'], restored: 2, removed: 0 })
    expect([read('src/a.txt'), read('new/b.txt')]).toEqual(['second\n', 'new\n'])
    expect((await json('list'))['total']).toBe(3)
    expect(await json('prune', '--keep', '1')).toMatchObject({
      folders: [{ kept: 1, removed: [expect.any(String), expect.any(String)] }],
    })
    expect((await json('list'))['total']).toBe(1)
  }, 120_000)

  it('belongs to a session, and gives files and conversation back together', async () => {
    const line = (text: string, at: string): string =>
      `${JSON.stringify({ session: 'talk', role: 'user', text, at })}\n`
    const first = line('Write it', '2026-01-31T08:00:00Z')
    const importAll = () => box.cairn('import', '--agent', 'generic', '--from', 'logs', '--store', 'file:s.db')
    box.file('logs/a.jsonl', first)
    await importAll()
    const created = await json('create', '--session', 'talk')
    expect(created['sessionId']).toBe('generic:talk')
    box.file('logs/a.jsonl', `${first}${line('Now break it', '2036-01-31T08:00:00Z')}`)
    await importAll()
    box.file('app/src/a.txt', 'broken\n')
    expect((await checkpoint('restore', 'latest', '--conversation', '--files')).code).toBe(2)
    const preview = await json('restore', 'latest', '--both', '--dry-run')
    expect(preview).toMatchObject({ dryRun: true, restored: 0, conversation: { changed: false, left: 1 } })
    expect(read('src/a.txt')).toBe('broken\n')
    const restored = await json('restore', 'latest', '--both', '--yes')
    expect(restored).toMatchObject({ restored: 1, conversation: { changed: true, left: 1 } })
    expect(read('src/a.txt')).toBe('first\n')
    const rewound = await box.cairn('session', 'rewind', 'talk', '--undo', '--store', 'file:s.db')
    expect([rewound.code, rewound.stdout]).toEqual([0, expect.stringContaining('Now break it')])
    await json('create')
    const without = await checkpoint('restore', 'latest', '--only', 'conversation')
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('belongs to no session')])
  }, 120_000)

  it('gives back folders where no file differs, and names a file that it could not write', async () => {
    mkdirSync(join(box.folder, 'app/empty/deep'), { recursive: true })
    mkdirSync(join(box.folder, 'app/private'), { mode: 0o700 })
    await json('create')
    rmSync(join(box.folder, 'app/empty'), { recursive: true })
    const preview = await json('restore', 'latest', '--dry-run')
    expect(preview).toMatchObject({ files: [], folders: ['empty/deep'] })
    const restored = await checkpoint('restore', 'latest')
    expect(restored.stdout).toContain('former permissions: 1\n  empty/deep/\n')
    expect(existsSync(join(box.folder, 'app/empty/deep'))).toBe(true)
    const again = await json('restore', 'latest', '--yes')
    expect(again).toMatchObject({ folders: [], undoId: null })

    rmSync(join(box.folder, 'app/src/a.txt'))
    box.file('app/src/a.txt/in.log', 'an ignored file in a folder of the name')
    const kept = await checkpoint('restore', 'latest', '--yes')
    expect([kept.code, kept.stdout]).toEqual([
      1,
      expect.stringContaining('Stays as it is: src/a.txt (a folder with files'),
    ])
    expect(read('src/a.txt/in.log')).toBe('an ignored file in a folder of the name')
  }, 120_000)

  it('refuses the home folder, the root of the disk, an unknown id and a machine without git', async () => {
    const at = (folder: string) => box.cairn('checkpoint', 'create', '--workspace', folder, '--store', 'file:s.db')
    const home = await at(join(box.folder, 'home'))
    expect([home.code, home.stderr]).toEqual([2, expect.stringContaining('as it is your home folder')])
    const disk = await at('/')
    expect([disk.code, disk.stderr]).toEqual([2, expect.stringContaining('as it is the root of the disk')])
    expect((await checkpoint('create')).stdout).toContain('; the first of this folder.')
    expect((await checkpoint('create')).stdout).toContain('; nothing changed since the one before.')
    const unknown = await checkpoint('show', 'nothing')
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('cairn checkpoint list shows them')])
    const empty = join(box.folder, 'empty')
    mkdirSync(empty)
    const noGit = createSandbox({ PATH: empty })
    try {
      noGit.file('app/a.txt', 'a')
      const { code, stderr } = await noGit.cairn('checkpoint', 'create', '--workspace', 'app', '--store', 'file:s.db')
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^Checkpoints need git, and there is none in the PATH; nothing was changed\..*\n$/),
      ])
    } finally {
      noGit.remove()
    }
  }, 120_000)

  it('looks only at the paths that are named, and gives only these back', async () => {
    await json('create')
    box.file('app/src/a.txt', 'second\n')
    box.file('app/src/b.txt', 'second\n')
    const named = await json('create', 'src/a.txt')
    expect(named).toMatchObject({ files: 2, changed: 1, paths: ['src/a.txt'] })
    expect((await checkpoint('show', 'latest')).stdout).toContain('Looked at   src/a.txt; all else is as it was seen')
    box.file('list', 'src/b.txt\0src/none.txt\0')
    const listed = await json('create', '--paths-from', '../list')
    expect(listed).toMatchObject({
      files: 3,
      changed: 1,
      paths: ['src/b.txt', 'src/none.txt'],
      absent: ['src/none.txt'],
    })
    expect((await checkpoint('create', 'src/none.txt')).stdout).toContain('\nNot in the folder now: src/none.txt.\n')
    box.file('app/src/a.txt', 'third\n')
    box.file('app/src/b.txt', 'third\n')
    const restored = await json('restore', 'latest', 'src/a.txt', '--yes')
    expect(restored).toMatchObject({ restored: 1, removed: 0, files: [expect.objectContaining({ path: 'src/a.txt' })] })
    expect([read('src/a.txt'), read('src/b.txt')]).toEqual(['second\n', 'third\n'])
    box.file('app/src/b.txt', 'fourth\n')
    await json('undo', '--yes')
    expect([read('src/a.txt'), read('src/b.txt')]).toEqual(['third\n', 'fourth\n'])
    for (const wrong of [['../list'], ['src', '--paths-from', '-'], ['--paths-from', 'nowhere'], ['']]) {
      const { code, stderr } = await checkpoint('create', ...wrong)
      expect([code, stderr]).toEqual([2, expect.stringMatching(/othing was changed\.?\n$/)])
    }
    const misspelt = await checkpoint('restore', 'latest', 'src/*.txt', '--yes')
    expect([misspelt.code, misspelt.stderr]).toEqual([
      1,
      'Neither in the checkpoint nor in the folder: src/*.txt; nothing was changed.\n',
    ])
    const partly = await checkpoint('restore', 'latest', 'src/none.txt', 'src/a.txt', '--dry-run')
    expect([partly.code, partly.stderr]).toEqual([0, 'Neither in the checkpoint nor in the folder: src/none.txt\n'])
    // Without a value, "$file" is no path; taken for the folder it would give back everything.
    const everything = await checkpoint('restore', 'latest', '', '--yes')
    expect([everything.code, everything.stderr]).toEqual([
      2,
      expect.stringMatching(/is empty; .*othing was changed\.\n$/),
    ])
    expect([read('src/a.txt'), read('src/b.txt')]).toEqual(['third\n', 'fourth\n'])
    writeFileSync(join(box.folder, 'list'), Buffer.from('src/caf\xe9.txt\0', 'latin1'))
    const undecodable = await checkpoint('create', '--paths-from', '../list')
    expect([undecodable.code, undecodable.stderr]).toEqual([2, expect.stringContaining('it is not UTF-8 text')])
    expect((await json('list'))['total']).toBe(6)
  }, 120_000)

  it('is made by a prompt and by the end of a turn where the user wants that, and nowhere once it is switched off', async () => {
    const set = (key: string, value: string) => box.cairn('config', 'set', key, value)
    box.file('event.json', JSON.stringify({ session_id: 's', cwd: join(box.folder, 'app'), prompt: 'Write it' }))
    const event = (name: string) => box.shell(`cairn hook ${name} --store file:$PWD/s.db < event.json`)
    const labels = async () =>
      ((await json('list'))['checkpoints'] as readonly { readonly label: string }[]).map(({ label }) => label)
    const labelsOnce = async (count: number): Promise<readonly string[]> => {
      for (;;) {
        const found = await labels()
        if (found.length >= count) return found
      }
    }
    await json('create', '--label', 'own')
    await event('stop')
    await set('hooks.checkpoints', 'true')
    // Where nothing changed since, none is made.
    box.file('app/src/a.txt', 'by hand\n')
    await event('user-prompt-submit')
    expect(await labelsOnce(2)).toEqual(['at a prompt to claude-code', 'own'])
    box.file('app/src/a.txt', 'by the agent\n')
    await event('stop')
    expect(await labelsOnce(3)).toEqual(['after a turn of claude-code', 'at a prompt to claude-code', 'own'])
    // The session is not in the store yet.
    expect(await json('list')).toMatchObject({
      checkpoints: [
        { kind: 'agent', sessionId: 'claude-code:s' },
        { kind: 'agent', sessionId: 'claude-code:s' },
        { kind: 'manual', sessionId: null },
      ],
    })
    await set('checkpoints.enabled', 'false')
    const refused = await checkpoint('create')
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringMatching(/^No checkpoint was made, as checkpoints.enabled is false in .*config.json; .*\n$/),
    ])
    await box.cairn('config', 'set', 'checkpoints.enabled', 'false', '--workspace', 'app')
    const here = await box.shell('cd app && cairn checkpoint create --store file:../s.db')
    expect([here.code, here.stderr]).toEqual([
      3,
      expect.stringContaining('cairn config set checkpoints.enabled true --workspace makes them again'),
    ])
    expect(await labels()).toHaveLength(3)
  }, 240_000)

  it('goes with a purge only where that is asked for', async () => {
    await json('create')
    await json('create')
    const stay = await box.cairn('purge', '--yes', '--store', 'file:s.db')
    expect(stay.stdout).toContain('Checkpoints of 1 folder stay; cairn purge --checkpoints removes them, too.')
    expect((await json('list'))['total']).toBe(2)
    const gone = (await box.json('purge', '--yes', '--checkpoints', '--store', 'file:s.db')) as {
      readonly removed: { readonly checkpoints: number; readonly checkpointBytes: number }
    }
    expect(gone.removed.checkpoints).toBe(2)
    expect(gone.removed.checkpointBytes).toBeGreaterThan(500)
    expect((await json('list'))['total']).toBe(0)
    expect((await json('create'))['changed']).toBe(2)
  }, 120_000)

  it('never writes to the repository of the user', async () => {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
        cwd: join(box.folder, 'app'),
        encoding: 'utf8',
      })
    git('add', '-A', ':!.env')
    git('commit', '--quiet', '--message', 'one')
    const snapshot = (): string =>
      execFileSync('sh', ['-c', 'find .git -type f -printf "%p %m %T@ " -exec sha256sum {} \\; | sort'], {
        cwd: join(box.folder, 'app'),
        encoding: 'utf8',
      })
    const before = snapshot()
    await checkpoint('create')
    writeFileSync(join(box.folder, 'app', 'src/a.txt'), 'second\n')
    rmSync(join(box.folder, 'app', '.gitignore'))
    await checkpoint('diff', 'latest')
    await checkpoint('restore', 'latest', '--yes')
    await checkpoint('prune', '--keep', '1')
    expect(snapshot()).toBe(before)
    expect(git('status', '--porcelain', '--', 'src', '.gitignore')).toBe('')
  }, 120_000)
})
