import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWorkspaceFiles } from './workspace-files.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-workspace-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (path: string, text = path): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const git = (at: string, ...options: string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always', ...options],
    {
      cwd: join(folder, at),
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    },
  )
const listed = async (root = folder): Promise<readonly string[]> =>
  (await createWorkspaceFiles([root]).list()).files.map(({ path }) => path)
const readAs = async (path: string, maxBytes = 1_000, roots = [folder]) => {
  const outcome = await createWorkspaceFiles(roots).read(path, maxBytes)
  return 'content' in outcome ? new TextDecoder().decode(outcome.content) : outcome
}

describe.each([
  ['with git', true],
  ['without a repository', false],
])('a list %s', (_name, hasGit) => {
  beforeEach(() => {
    if (hasGit) git('.', 'init', '-q')
  })

  it('leaves out what .gitignore files say, the nearest first, and nothing below an ignored folder comes back', async () => {
    put('.gitignore', '*.log\nbuild/\n')
    put('src/.gitignore', '!keep.log\nlocal\n')
    put('build/.gitignore', '!a.ts\n')
    for (const path of ['a.ts', 'x.log', 'build/a.ts', 'src/keep.log', 'src/other.log', 'src/local/a.ts', 'src/ä b.ts'])
      put(path)
    expect(await listed()).toEqual(['.gitignore', 'a.ts', 'src/.gitignore', 'src/keep.log', 'src/ä b.ts'])
  })

  it('leaves out what .cairnignore and .clineignore say, and these bring nothing back', async () => {
    put('.gitignore', 'secret.txt\nout/\n')
    put('.cairnignore', 'private/\n!secret.txt\n!out/\n')
    put('.clineignore', '*.pem\n')
    put('lib/.cairnignore', 'generated.ts\n')
    for (const path of ['a.ts', 'secret.txt', 'out/b.ts', 'private/c.ts', 'key.pem', 'lib/generated.ts', 'lib/d.ts'])
      put(path)
    expect((await listed()).filter((path) => !path.includes('ignore'))).toEqual(['a.ts', 'lib/d.ts'])
  })

  it('has regular files alone: no links, no pipes', async () => {
    put('a.ts')
    symlinkSync('/etc', join(folder, 'etc'))
    symlinkSync('a.ts', join(folder, 'b.ts'))
    spawnSync('mkfifo', [join(folder, 'pipe')])
    expect(await listed()).toEqual(['a.ts'])
  })

  it('lists the files of repositories inside', async () => {
    put('inner/a.ts')
    put('inner/.gitignore', 'no.ts')
    put('inner/no.ts')
    git('inner', 'init', '-q')
    put('z.ts')
    expect(await listed()).toEqual(['inner/.gitignore', 'inner/a.ts', 'z.ts'])
  })

  it('is cut behind its limit, and says so', async () => {
    for (const name of ['a', 'b', 'c']) put(name)
    const cut = await createWorkspaceFiles([folder], { maxFiles: 2 }).list()
    expect([cut.files.length, cut.isComplete]).toEqual([2, false])
    expect((await createWorkspaceFiles([folder], { maxFiles: 3 }).list()).isComplete).toBe(true)
  })

  it('has only the files that are wanted, and still reads others', async () => {
    put('only/a.ts', 'a')
    put('only/b.json', '{}')
    const files = createWorkspaceFiles([folder], { isWanted: (path) => /^only\/.*\.ts$/.test(path) })
    for (const time of ['first', 'second', 'third']) {
      const { files: listed } = await files.list()
      expect([time, ...listed.map(({ path }) => path)]).toEqual([time, 'only/a.ts'])
    }
    expect(await files.read('only/b.json', 100)).toEqual({ content: Buffer.from('{}') })
  })

  it('ends when it is told to', async () => {
    await expect(createWorkspaceFiles([folder]).list(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })
})

describe('a list of a repository', () => {
  it('has tracked files that an ignore rule names, but not those that are gone', async () => {
    git('.', 'init', '-q')
    for (const path of ['kept.log', 'gone.ts', 'new.ts', 'new.log']) put(path)
    put('.gitignore', '*.log\n')
    git('.', 'add', '-f', 'kept.log', 'gone.ts')
    rmSync(join(folder, 'gone.ts'))
    expect(await listed()).toEqual(['.gitignore', 'kept.log', 'new.ts'])
  })

  it('has the blob id of a file as long as the index vouches for it', async () => {
    git('.', 'init', '-q')
    put('same.ts')
    put('changed.ts')
    for (const name of ['same.ts', 'changed.ts']) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000.25)
    git('.', 'add', '.')
    put('changed.ts', 'CHANGED.TS')
    put('fresh.ts')
    const { files } = await createWorkspaceFiles([folder]).list()
    const ids = Object.fromEntries(files.map(({ path, blobId }) => [path, blobId]))
    expect(ids).toEqual({
      'changed.ts': undefined,
      'fresh.ts': undefined,
      'same.ts': git('.', 'hash-object', 'same.ts').trim(),
    })
  })

  it('has the files of submodules', async () => {
    put('library/lib.ts')
    git('library', 'init', '-q')
    git('library', 'add', '.')
    git('library', 'commit', '-qm', 'x')
    mkdirSync(join(folder, 'main'))
    git('main', 'init', '-q')
    git('main', 'submodule', 'add', '-q', '../library', 'vendor/library')
    expect(await listed(join(folder, 'main'))).toEqual(['.gitmodules', 'vendor/library/lib.ts'])
  })

  it('of a folder below its top has paths from there, and heeds the own ignore files above', async () => {
    git('.', 'init', '-q')
    put('.cairnignore', '/packages/core/private\n')
    for (const path of ['packages/core/a.ts', 'packages/core/private/b.ts', 'top.ts']) put(path)
    expect(await listed(join(folder, 'packages/core'))).toEqual(['a.ts'])
  })

  it('is made by a walk in a folder that the repository around it ignores', async () => {
    git('.', 'init', '-q')
    put('.gitignore', '/scratch\n')
    put('scratch/a.ts')
    expect(await listed(join(folder, 'scratch'))).toEqual(['a.ts'])
  })
})

describe('a list that was made before', () => {
  /** The same object as a program would keep it, listed until it may give its list again. */
  const repeated = async (tracked: readonly string[] = []) => {
    git('.', 'init', '-q')
    put('.gitignore', 'out/\n*.log\n')
    put('src/a.ts')
    mkdirSync(join(folder, 'empty/below'), { recursive: true })
    mkdirSync(join(folder, 'out'))
    for (const path of tracked) put(path)
    if (tracked.length > 0) git('.', 'add', '-f', ...tracked)
    const past = new Date(Date.now() - 60_000)
    for (const path of [
      '.gitignore',
      'src/a.ts',
      'src',
      'empty/below',
      'empty',
      'out',
      '.git/info/exclude',
      '.git/index',
      '.',
    ]) {
      try {
        utimesSync(join(folder, path), past, past)
      } catch {
        // Nothing is staged, or git made no info/exclude.
      }
    }
    const files = createWorkspaceFiles([folder])
    const paths = async () => (await files.list()).files.map(({ path }) => path)
    for (let time = 0; time < 3; time++) expect(await paths()).toEqual(['.gitignore', ...tracked, 'src/a.ts'])
    return { files, paths }
  }

  it('asks git no more while nothing changed, and has a changed file with its new size', async () => {
    // Only git knows that this ignored file counts.
    const { files, paths } = await repeated(['kept.log'])
    rmSync(join(folder, '.git/HEAD'))
    expect(await paths()).toEqual(['.gitignore', 'kept.log', 'src/a.ts'])
    put('src/a.ts', 'longer than it was')
    expect((await files.list()).files[2]?.bytes).toBe(18)
  })

  it.each<[string, () => void, readonly string[]]>([
    ['a new file', () => put('src/b.ts'), ['.gitignore', 'src/a.ts', 'src/b.ts']],
    [
      'a file in a folder that was empty',
      () => put('empty/below/c.ts'),
      ['.gitignore', 'empty/below/c.ts', 'src/a.ts'],
    ],
    ['a new folder', () => put('new/deep/d.ts'), ['.gitignore', 'new/deep/d.ts', 'src/a.ts']],
    ['a removed file', () => rmSync(join(folder, 'src/a.ts')), ['.gitignore']],
    ['a rule', () => put('.gitignore', '*.ts\n'), ['.gitignore']],
    ['an own rule', () => put('.cairnignore', 'src/\n'), ['.cairnignore', '.gitignore']],
    ['a rule of the repository alone', () => put('.git/info/exclude', 'src\n'), ['.gitignore']],
    [
      'an ignored file that is tracked from now on',
      () => {
        put('out/e.ts')
        git('.', 'add', '-f', 'out/e.ts')
      },
      ['.gitignore', 'out/e.ts', 'src/a.ts'],
    ],
  ])('is rebuilt after %s', async (_name, change, expected) => {
    const { paths } = await repeated()
    change()
    expect(await paths()).toEqual(expected)
    expect(await paths()).toEqual(expected)
  })
})

it('gives the paths of several roots the names of these, and keeps equal names apart', async () => {
  for (const path of ['one/app/a.ts', 'two/app/b.ts', 'lib/c.ts']) put(path)
  const roots = ['one/app', 'two/app', 'lib'].map((path) => join(folder, path))
  const files = createWorkspaceFiles(roots)
  expect((await files.list()).files.map(({ path }) => path)).toEqual(['app-2/b.ts', 'app/a.ts', 'lib/c.ts'])
  expect(await readAs('app-2/b.ts', 100, roots)).toBe('two/app/b.ts')
  expect(await readAs('app/../../lib/c.ts', 100, roots)).toEqual({ refused: 'outside' })
  expect(await readAs('other/c.ts', 100, roots)).toEqual({ refused: 'outside' })
})

it('has no files where a root is not there', async () => {
  expect(await listed(join(folder, 'none'))).toEqual([])
})

describe('reading', () => {
  it('gives the content up to the limit', async () => {
    put('a.ts', 'twelve bytes')
    expect(await readAs('a.ts', 12)).toBe('twelve bytes')
    expect(await readAs('a.ts', 11)).toEqual({ refused: 'too-large' })
  })

  it('never leaves the root, neither by the path nor by a link', async () => {
    put('root/a.ts')
    put('secret.txt')
    symlinkSync('../secret.txt', join(folder, 'root/link.txt'))
    symlinkSync('..', join(folder, 'root/up'))
    symlinkSync('a.ts', join(folder, 'root/own.ts'))
    const roots = [join(folder, 'root')]
    for (const path of [
      '../secret.txt',
      '/etc/passwd',
      'link.txt',
      'up/secret.txt',
      'a/../../secret.txt',
      '',
      '.',
      'a.ts\0',
    ])
      expect([path, await readAs(path, 1_000, roots)]).toEqual([path, { refused: 'outside' }])
    expect(await readAs('own.ts', 1_000, roots)).toBe('root/a.ts')
  })

  it('refuses what is ignored, also by another name, and what lies in a git folder', async () => {
    git('.', 'init', '-q')
    put('.gitignore', 'dist/\n')
    put('.cairnignore', 'private/\n')
    for (const path of ['dist/a.js', 'dist/tracked.js', 'private/b.ts']) put(path)
    git('.', 'add', '-f', 'dist/tracked.js')
    symlinkSync('private/b.ts', join(folder, 'b.ts'))
    const refusals = {
      'dist/a.js': '.gitignore',
      'private/b.ts': '.cairnignore',
      'b.ts': '.cairnignore',
      '.git/config': '.git',
      '.GIT/config': '.git',
    }
    for (const [path, by] of Object.entries(refusals))
      expect([path, await readAs(path)]).toEqual([path, { refused: 'ignored', by }])
    expect(await readAs('dist/tracked.js')).toBe('dist/tracked.js')
  })

  it('names the ignore file that leaves a folder or a file out, the nearest first', async () => {
    git('.', 'init', '-q')
    put('app/.gitignore', 'out/\n')
    put('.gitignore', 'app/src/out/\n*.tmp\n')
    put('.git/info/exclude', 'notes.txt\n')
    put('app/.clineignore', 'keys/\n')
    for (const path of ['app/out/a.js', 'app/keys/b.pem', 'app/c.tmp', 'app/notes.txt', 'app/empty/.x']) put(path)
    expect(await readAs('app/out')).toEqual({ refused: 'ignored', by: 'app/.gitignore' })
    expect(await readAs('app/keys')).toEqual({ refused: 'ignored', by: 'app/.clineignore' })
    expect(await readAs('app/notes.txt')).toEqual({ refused: 'ignored', by: '.git/info/exclude' })
    expect(await readAs('app/empty')).toEqual({ refused: 'not-a-file' })
    expect(await readAs('c.tmp', 1_000, [join(folder, 'app')])).toEqual({ refused: 'ignored', by: '../.gitignore' })
  })

  it('says that a file whose name no disk would take is gone', async () => {
    expect(await readAs(`${'x'.repeat(300)}.ts`)).toEqual({ refused: 'gone' })
  })

  it('says what is no text file, without opening a pipe or reading two gigabytes', async () => {
    spawnSync('mkfifo', [join(folder, 'pipe')])
    put('huge.txt', '')
    truncateSync(join(folder, 'huge.txt'), 2_200_000_000)
    put('image.png', 'PNG\0\u0001')
    mkdirSync(join(folder, 'src'))
    symlinkSync('loop', join(folder, 'loop'))
    expect(await readAs('pipe')).toEqual({ refused: 'not-a-file' })
    expect(await readAs('huge.txt', 10_000_000)).toEqual({ refused: 'too-large' })
    expect(await readAs('image.png')).toEqual({ refused: 'binary' })
    expect(await readAs('src')).toEqual({ refused: 'not-a-file' })
    expect(await readAs('loop')).toEqual({ refused: 'not-a-file' })
    expect(await readAs('none.ts')).toEqual({ refused: 'gone' })
  })

  it('says that a file is gone that was listed a moment ago', async () => {
    put('a.ts')
    const files = createWorkspaceFiles([folder])
    expect((await files.list()).files).toHaveLength(1)
    rmSync(join(folder, 'a.ts'))
    expect(await files.read('a.ts', 100)).toEqual({ refused: 'gone' })
  })
})
