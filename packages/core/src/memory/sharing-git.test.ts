/** Two people, two branches, one file: with the real git where there is one. */
import { describe, expect, it } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHasher } from '../node/index.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '../testing/index.ts'
import { createMemory } from './create-memory.ts'
import type { Memory } from './memory.ts'
import { WORKSPACE } from './memory-entry.fixture.ts'

const hasGit = spawnSync('git', ['--version']).status === 0

const memoryOf = (name: string): Memory =>
  createMemory({
    storage: createInMemoryStore().memory,
    clock: createTestClock(),
    ids: createSequentialIds(name),
    hasher: createHasher(),
    fileSystem: createInMemoryFileSystem(),
    timeZone: 'UTC',
  })

const inRepository = <T>(run: (git: (...given: readonly string[]) => number, file: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-memory-'))
  const env = {
    ...process.env,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(folder, 'none'),
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  try {
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder, env })
    return run(
      (...given) => spawnSync('git', given, { cwd: folder, env, stdio: 'ignore' }).status ?? 1,
      join(folder, 'memory.md'),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What both branches added, merged by git: its exit code, and the file that it left. */
const mergeOf = (
  base: string,
  ours: string,
  theirs: string,
  attributes = '',
): { readonly status: number; readonly merged: string } =>
  inRepository((git, file) => {
    const commit = (text: string): void => {
      writeFileSync(file, text)
      git('add', '-A')
      git('commit', '-q', '-m', 'x')
    }
    if (attributes !== '') writeFileSync(file.replace('memory.md', '.gitattributes'), attributes)
    commit(base)
    git('checkout', '-q', '-b', 'theirs')
    commit(theirs)
    git('checkout', '-q', 'main')
    commit(ours)
    const status = git('merge', '-q', '--no-edit', 'theirs')
    return { status, merged: readFileSync(file, 'utf8') }
  })

const branches = async (
  trial: number,
): Promise<{ readonly base: string; readonly ours: string; readonly theirs: string }> => {
  const [origin, a, b] = [memoryOf(`o${trial}`), memoryOf(`a${trial}`), memoryOf(`b${trial}`)]
  const add = async (memory: Memory, texts: readonly string[]): Promise<void> => {
    for (const text of texts) await memory.add({ workspace: WORKSPACE, kind: 'discovery', text })
  }
  await add(origin, ['Base fact 1', 'Base fact 2'])
  const base = await origin.exportText(WORKSPACE)
  for (const memory of [a, b]) await memory.importText(WORKSPACE, base)
  await add(a, ['Ann 1', 'Ann 2', 'Ann 3'])
  await add(b, ['Bob 1', 'Bob 2', 'Bob 3'])
  return { base, ours: await a.exportText(WORKSPACE), theirs: await b.exportText(WORKSPACE) }
}

const ALL = ['Ann 1', 'Ann 2', 'Ann 3', 'Base fact 1', 'Base fact 2', 'Bob 1', 'Bob 2', 'Bob 3']

const takenFrom = async (merged: string): Promise<readonly string[]> => {
  const memory = memoryOf('taker')
  await memory.importText(WORKSPACE, merged)
  return (await memory.list(WORKSPACE)).map(({ text }) => text).sort()
}

// Without git nothing is tried: the name of the test says so.
const whenGit = hasGit ? describe : describe.skip

whenGit('a memory file under git', () => {
  it('two branches merge mostly without conflicts, and all entries are imported either way', async () => {
    const trials = 12
    let conflicts = 0
    for (let trial = 0; trial < trials; trial++) {
      const { base, ours, theirs } = await branches(trial)
      const { status, merged } = mergeOf(base, ours, theirs)
      conflicts += status === 0 ? 0 : 1
      expect(merged.includes('<<<<<<<')).toBe(status !== 0)
      expect(await takenFrom(merged)).toEqual(ALL)
    }
    expect(conflicts).toBeLessThan(trials / 3)
  })

  it('never conflicts with the merge attribute that its header suggests', async () => {
    const { base, ours, theirs } = await branches(99)
    const { status, merged } = mergeOf(
      base,
      ours.replace('Base fact 1', 'Base fact 1!'),
      theirs.replace('Base fact 1', 'Base fact 1?'),
      'memory.md merge=union\n',
    )
    expect([status, merged.includes('<<<<<<<')]).toEqual([0, false])
    expect(await takenFrom(merged)).toHaveLength(ALL.length)
  })

  it('reads all entries of a conflict, with the versions of both sides', async () => {
    const { base, ours, theirs } = await branches(7)
    const { status, merged } = mergeOf(
      base,
      ours.replace('Base fact 1', 'Base fact one'),
      theirs.replace('Base fact 1', 'Base fact 1, changed'),
    )
    expect(status).not.toBe(0)
    const found = await takenFrom(merged)
    expect(found).toEqual(expect.arrayContaining(ALL.filter((text) => text !== 'Base fact 1')))
    expect(found).toHaveLength(ALL.length)
  })
})
