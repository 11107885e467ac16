import { describe, expect, it } from '@jest/globals'
import { createEngine, type Engine } from '../engine.ts'
import { CairnError } from '../errors.ts'
import type { ContentBlock } from '../messages.ts'
import { createHasher } from '../node/index.ts'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '../testing/index.ts'

const WORKSPACE = '/code/app'
const AT = Date.UTC(2026, 0, 1)
const DAY = 86_400_000

const engineWith = (files: Readonly<Record<string, string>> = {}, longTermMemory = true): Engine =>
  createEngine({
    store: createInMemoryStore(),
    fileSystem: createInMemoryFileSystem(files),
    hasher: createHasher(),
    clock: createTestClock(AT + 100 * DAY),
    ids: createSequentialIds(),
    timeZone: 'UTC',
    privacy: { longTermMemory },
  })

const shell = (command: string): ContentBlock => ({ type: 'tool_call', id: command, name: 'Bash', input: { command } })
const edit = (path: string): ContentBlock => ({
  type: 'tool_call',
  id: path,
  name: 'Edit',
  input: { file_path: path, old_string: 'a', new_string: 'b' },
})

/** Records the session of a day: an assistant's message a block. */
const record = async (
  engine: Engine,
  day: number,
  blocks: readonly ContentBlock[],
  branch = 'main',
  workspace = WORKSPACE,
): Promise<void> => {
  const externalId = `s${day}-${workspace.length}`
  const written = await engine.sessions.append(
    { id: `cairn:${externalId}`, agent: 'cairn', externalId, workspace, branch },
    0,
    blocks.map((block, index) => ({
      entry: { kind: 'message', id: `m${index}`, at: AT + day * DAY + index, role: 'assistant', content: [block] },
    })),
  )
  expect(written.ok).toBe(true)
}

const textsOf = async (engine: Engine, branch?: string): Promise<readonly string[]> =>
  (await engine.suggestions.list(WORKSPACE, branch === undefined ? {} : { branch })).suggestions.map(({ text }) => text)

describe('suggestions', () => {
  it('offers checks of four of the last ten sessions, with where they were seen, the newest first', async () => {
    const engine = engineWith()
    // Four runs of the linter, but only three within the last ten sessions; the tests in five, twice in one.
    for (let day = 0; day < 12; day += 1) {
      const lint = [1, 3, 5, 7].includes(day) ? [shell('npm run lint')] : []
      const test = day >= 7 ? [shell('cd /code/app && npm test'), shell('npm test -- a')] : [shell('ls')]
      await record(engine, day, [...lint, ...test])
    }
    const report = await engine.suggestions.list(WORKSPACE)
    expect(report).toMatchObject({ workspace: WORKSPACE, sessions: 10, known: 0, decided: 0, unread: [] })
    expect(report.suggestions).toHaveLength(1)
    expect(report.suggestions[0]).toMatchObject({
      rule: 'check-command',
      kind: 'workflow',
      text: 'Sessions check their work with: npm test',
      sessions: 5,
      of: 10,
    })
    expect(report.suggestions[0]?.evidence.map(({ externalId, messageId }) => `${externalId} ${messageId}`)).toEqual([
      's11-9 m0',
      's10-9 m0',
      's9-9 m0',
      's8-9 m0',
      's7-9 m1',
    ])
  })

  it('offers a file that five sessions began with, by its path in the project, and none outside of it', async () => {
    const engine = engineWith()
    for (let day = 0; day < 6; day += 1)
      await record(engine, day, [
        shell(day < 5 ? 'cat docs/plan.md' : 'cat /code/app/docs/plan.md'),
        edit('/etc/hosts'),
        shell('cat ../other/readme.md'),
        ...Array.from({ length: 10 }, () => shell('ls')),
        edit('/code/app/src/late.ts'),
      ])
    expect(await textsOf(engine)).toEqual(['Sessions begin with this file: docs/plan.md'])
  })

  it("offers the files that a topic branch's last session edited, and none for a trunk", async () => {
    const engine = engineWith()
    await record(engine, 1, [edit('old.ts')], 'topic')
    await record(
      engine,
      2,
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => edit(`/code/app/${name}.ts`)).concat(edit('b.ts')),
      'topic',
    )
    for (let day = 3; day < 20; day += 1) await record(engine, day, [shell('ls')], 'other')
    expect(await textsOf(engine, 'topic')).toEqual([
      'The last session of branch topic on 2026-01-03 edited: b.ts, f.ts, e.ts, d.ts, c.ts and 1 more',
    ])
    expect(await textsOf(engine, 'other')).toEqual([])
    expect(await textsOf(engine, 'main')).toEqual([])
    expect(await textsOf(engine)).toEqual([])
  })

  it('takes the files of a work tree within the project as the project’s own', async () => {
    const engine = engineWith()
    const edited = [
      '.worktrees/ann/fix/src/a.ts',
      '.claude/worktrees/calm-fox/src/b.ts',
      '.worktrees/other/c.ts',
      '.worktrees/d.ts',
    ]
    await record(
      engine,
      1,
      edited.map((path) => edit(`/code/app/${path}`)),
      'ann/fix',
    )
    expect(await textsOf(engine, 'ann/fix')).toEqual([
      'The last session of branch ann/fix on 2026-01-02 edited: d.ts, c.ts, src/b.ts, src/a.ts',
    ])
  })

  it('offers nothing that instruction files or the memory say; a longer name says something else', async () => {
    const files = {
      '/code/app/AGENTS.md': 'Run `go\n  test` before you commit. npm run lint:fix is for later.',
      '/code/app/.cursor/rules/checks.mdc': 'mise run fmt',
    }
    const engine = engineWith(files)
    for (let day = 0; day < 4; day += 1)
      await record(engine, day, ['go test', 'npm run lint', 'mise run fmt', 'make check'].map(shell))
    await engine.memory.add({ workspace: WORKSPACE, kind: 'workflow', text: 'Use make check always' })
    expect(await engine.suggestions.list(WORKSPACE)).toMatchObject({
      suggestions: [{ text: 'Sessions check their work with: npm run lint' }],
      known: 3,
    })
  })

  it('accepts one with its provenance and dismisses another for good; both are never offered again', async () => {
    const engine = engineWith()
    for (let day = 0; day < 4; day += 1) {
      await record(engine, day, ['go test', 'go vet'].map(shell))
      await record(engine, day, ['go vet'].map(shell), 'main', '/code/other')
    }
    const { suggestions } = await engine.suggestions.list(WORKSPACE)
    const [test, vet] = suggestions
    if (test === undefined || vet === undefined) throw new Error('two suggestions were expected')
    expect(suggestions.map(({ text }) => text.split(': ')[1])).toEqual(['go test', 'go vet'])
    const { entry } = await engine.suggestions.accept(WORKSPACE, test.id.slice(0, 6))
    expect(entry).toMatchObject({
      kind: 'workflow',
      text: test.text,
      source: 'suggestion',
      sessionId: 'cairn:s3-9',
      messageId: 'm0',
    })
    await engine.suggestions.dismiss(WORKSPACE, vet.id)
    expect(await engine.suggestions.list(WORKSPACE)).toMatchObject({ suggestions: [], known: 1, decided: 1 })
    await engine.memory.forget(entry.id)
    expect(await engine.suggestions.list(WORKSPACE)).toMatchObject({ suggestions: [], known: 0, decided: 2 })
    // Another project decides for itself.
    expect((await engine.suggestions.list('/code/other')).suggestions).toHaveLength(1)
  })

  it('refuses an id that is not offered, an empty one, and the beginning of several', async () => {
    const engine = engineWith()
    for (let day = 0; day < 4; day += 1)
      await record(
        engine,
        day,
        Array.from({ length: 40 }, (_, n) => shell(`make test-${n}`)),
      )
    const { suggestions } = await engine.suggestions.list(WORKSPACE)
    expect(suggestions).toHaveLength(10)
    await expect(engine.suggestions.accept(WORKSPACE, 'xyz')).rejects.toMatchObject({ code: 'not-found' })
    await expect(engine.suggestions.dismiss(WORKSPACE, ' ')).rejects.toMatchObject({ code: 'invalid-input' })
    const beginnings = '0123456789abcdef'.split('')
    const outcomes = await Promise.allSettled(beginnings.map((one) => engine.suggestions.dismiss('/code/none', one)))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    // Forty ids begin with at most sixteen digits, so one of them begins several.
    const codes: unknown[] = []
    for (const one of beginnings)
      await engine.suggestions
        .accept(WORKSPACE, one)
        .catch((error: unknown) => codes.push(error instanceof CairnError ? error.code : error))
    expect(codes).toContain('ambiguous')
  })

  it('is refused without long-term memory', async () => {
    await expect(engineWith({}, false).suggestions.list(WORKSPACE)).rejects.toMatchObject({ code: 'unsupported' })
  })
})
