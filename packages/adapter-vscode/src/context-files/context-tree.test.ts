import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { createFileSystem, createHasher, createIds } from '@cairn/core/node'
import { createInMemoryStore, createTestClock } from '@cairn/core/testing'
import { contextFileTooltip, stateReason, warningText } from './context-label.ts'
import type { ContextNode } from './context-node.ts'
import { createContextTree } from './context-tree.ts'
import type { ContextTree } from './context-tree.ts'

const T0 = Date.UTC(2026, 5, 1)
const MINUTE = 60_000
const NOW = T0 + 90 * MINUTE

let folder = ''
let engine: Engine
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-context-')))
  const clock = createTestClock(NOW)
  engine = createEngine({
    store: createInMemoryStore(),
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

let calls = 0
/** Notes a tool's call with its result; makes the session. */
const note = async (session: string, minute: number, name: string, input: Readonly<Record<string, string>>) => {
  calls += 1
  const [id, at] = [`call-${calls}`, T0 + minute * MINUTE]
  const isThere = (await engine.store.sessions.get(session)) !== undefined
  await engine.sessions.append(
    { id: session, agent: session.split(':')[0] ?? '', externalId: session, workspace: folder },
    isThere ? 'end' : 0,
    [
      {
        entry: {
          kind: 'message',
          at,
          id: `${id}-a`,
          role: 'assistant',
          content: [{ type: 'tool_call', id, name, input }],
        },
      },
      {
        entry: {
          kind: 'message',
          at: at + 1,
          id: `${id}-r`,
          role: 'tool',
          content: [{ type: 'tool_result', callId: id, content: [{ type: 'text', text: 'done' }], isError: false }],
        },
      },
    ],
  )
}
const write = (session: string, minute: number, path: string, content: string) =>
  note(session, minute, 'Write', { file_path: join(folder, path), content })
const read = (session: string, minute: number, path: string) =>
  note(session, minute, 'Read', { file_path: join(folder, path) })
const put = (path: string, text: string, minute: number): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
  utimesSync(join(folder, path), (T0 + minute * MINUTE) / 1_000, (T0 + minute * MINUTE) / 1_000)
}

const treeOf = (mostFiles?: number): ContextTree =>
  createContextTree({
    engine: async () => engine,
    projects: async () => [folder],
    ...(mostFiles === undefined ? {} : { mostFiles }),
  })
const text = (node: ContextNode): string => {
  switch (node.kind) {
    case 'state':
      return `${node.state} ${node.files.length + node.left}`
    case 'file':
      return `${node.file.path}: ${stateReason(node.file, node.session.agent, NOW)}`
    case 'warning':
      return warningText(node.warning)
    case 'left':
      return `${node.count} more`
  }
}
/** The whole tree as texts. */
const texts = async (tree: ContextTree): Promise<readonly string[]> => {
  const rows: string[] = []
  for (const node of await tree.children())
    rows.push(text(node), ...(await tree.children(node)).map((each) => `  ${text(each)}`))
  return rows
}

describe('the tree of files in context', () => {
  it('is empty without a store, without a session of the project, and for a session without files', async () => {
    const none = createContextTree({ engine: async () => undefined, projects: async () => [folder] })
    expect(await none.children()).toEqual([])
    const tree = treeOf()
    await note('codex:1', 1, 'Think', {})
    expect(
      await createContextTree({ engine: async () => engine, projects: async () => ['/elsewhere'] }).children(),
    ).toEqual([])
    expect(await tree.children()).toEqual([])
    expect(tree.session()?.id).toBe('codex:1')
  })

  it('puts first what is not as the agent knows it, with who changed it and when', async () => {
    await write('codex:1', 1, 'src/same.ts', 'same')
    await write('codex:1', 2, 'src/person.ts', 'mine')
    await write('codex:1', 3, 'other.ts', 'mine')
    await write('codex:1', 4, 'gone.ts', 'mine')
    await read('codex:1', 5, 'read.ts')
    put('src/same.ts', 'same', 1)
    put('src/person.ts', 'theirs', 60)
    put('read.ts', 'x', 0)
    await write('claude-code:2', 30, 'other.ts', 'theirs')
    put('other.ts', 'theirs', 30)
    const tree = treeOf()
    tree.choose('codex:1')
    expect(await texts(tree)).toEqual([
      'stale 3',
      '  gone.ts: is gone',
      '  other.ts: changed by claude-code 1 h ago',
      '  src/person.ts: changed by a person or program 30 min ago',
      'active 2',
      '  read.ts: read 1 h ago',
      '  src/same.ts: edited 1 h ago',
    ])
  })

  it('follows the session that was active last, until one is chosen', async () => {
    await write('codex:1', 1, 'a.ts', 'a')
    await write('claude-code:2', 5, 'b.ts', 'b')
    const tree = treeOf()
    await tree.children()
    expect([tree.session()?.id, tree.isChosen()]).toEqual(['claude-code:2', false])
    tree.choose('codex:1')
    await tree.children()
    expect([tree.session()?.id, tree.isChosen()]).toEqual(['codex:1', true])
    tree.choose('gone:3')
    await tree.children()
    expect([tree.session()?.id, tree.isChosen()]).toEqual(['claude-code:2', false])
    tree.choose(undefined)
    await write('codex:1', 9, 'a.ts', 'a')
    await tree.children()
    expect(tree.session()?.id).toBe('codex:1')
  })

  it('has another version when the session goes on or has to be told something, and the same otherwise', async () => {
    const tree = treeOf()
    const versions = [await tree.version()]
    await write('codex:1', 1, 'a.ts', 'a')
    versions.push(await tree.version())
    await write('codex:1', 1, 'b.ts', 'b')
    versions.push(await tree.version())
    await engine.files.warn('codex:1', { reason: 'a checkpoint was restored', paths: ['a.ts', 'b.ts'] })
    versions.push(await tree.version())
    expect(new Set(versions).size).toBe(4)
    await note('codex:0', -1_000, 'Think', {})
    expect(await tree.version()).toBe(versions[3])
    expect((await texts(tree))[0]).toBe('A checkpoint was restored: the agent may not know a.ts, b.ts as they are now')
  })

  it('lists some of very many files', async () => {
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) await write('codex:1', index, name, name)
    for (const name of ['a', 'b', 'c', 'd']) put(name, name, 1)
    expect(await texts(treeOf(2))).toEqual([
      'stale 1',
      '  e: is gone',
      'active 4',
      expect.stringMatching(/^ {2}d: edited/),
      expect.stringMatching(/^ {2}c: edited/),
      '  2 more',
    ])
  })

  it('makes names harmless in what it shows', async () => {
    await write('codex:1', 1, 'a[x](command:y)\u202e.ts', 'a')
    const [stale] = await treeOf().children()
    const [file] = stale?.kind === 'state' ? stale.files : []
    if (file === undefined) throw new Error('no file')
    const tooltip = contextFileTooltip(file.file, 'codex', NOW)
    expect(tooltip).toContain('**a\\[x\\]\\(command\\:y\\)\ufffd\\.ts**')
    expect(tooltip).toContain('| State | Stale\\: not as the agent knows them |')
    expect(tooltip).toContain('| Sources | edited by the agent |')
    expect(tooltip).not.toContain('Mentioned')
    expect(warningText({ id: '', at: 0, reason: 'x\n\u001b', paths: ['a\u202e'] })).toBe(
      'X ␛: the agent may not know a\ufffd as it is now',
    )
  })
})
