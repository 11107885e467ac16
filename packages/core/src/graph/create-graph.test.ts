import { describe, expect, it } from '@jest/globals'
import type { JsonObject } from '../json.ts'
import type { NewLogEntry } from '../session-log.ts'
import {
  at,
  committed,
  createWorkbench,
  edited,
  learnt,
  read,
  messageEntry,
  told,
  type Workbench,
} from './graph.fixture.ts'
import { SOURCE, project } from './graph-project.fixture.ts'

describe('a session', () => {
  it('links to its files, commits, symbols and the entries learnt in it', async () => {
    const { graph } = await project()
    const answer = await graph.about('session:one')
    expect(answer.node).toEqual({ kind: 'session', id: 'cairn:one', label: 'The session one', at: at(5) })
    expect(told(answer)).toEqual([
      'learnt-in entry 01JAAA',
      'edited file src/later.ts',
      'committed commit 1a2b3c4',
      'edited file src/login.ts',
      'edited file src/auth.ts',
      'names symbol refreshToken',
      'names symbol renew_session',
      'read file src/auth.ts',
    ])
    expect(told(await graph.about('cairn:three'))).toEqual(['read file src/authors.ts', 'read file src/auth.ts'])
    expect((await graph.about('three')).node.id).toBe('cairn:three')
  })

  it('links to entries learnt in it for another project', async () => {
    const bench = createWorkbench()
    await bench.session('one', [messageEntry('x', 1)])
    await bench.learn(
      learnt('01JOWN', 'own', { sessionId: 'cairn:one' }),
      learnt('01JLIB', 'of a library', { sessionId: 'cairn:one', workspace: '/work/lib' }),
    )
    expect(told(await bench.graph.about('session:one')).toSorted()).toEqual([
      'learnt-in entry 01JLIB',
      'learnt-in entry 01JOWN',
    ])
    expect(told(await bench.graph.about('session:one', { workspace: 'lib' }))).toEqual(['learnt-in entry 01JLIB'])
  })

  it('counts how often its messages touched a file, with the first and last time', async () => {
    const bench = createWorkbench()
    await bench.session('long', [...edited('a.ts', 1), ...edited('a.ts', 9), ...edited('a.ts', 5), ...read('b.ts', 3)])
    const { links } = await bench.graph.about('session:long', { kinds: ['file'] })
    expect(links).toMatchObject([
      { relation: 'edited', node: { id: 'a.ts' }, count: 3, firstAt: at(1), lastAt: at(9) },
      { relation: 'read', node: { id: 'b.ts' }, count: 1 },
    ])
    expect(told(await bench.graph.about('session:long', { since: at(4), kinds: ['file'] }))).toEqual([
      'edited file a.ts ×2',
    ])
  })

  it('has the file operations that a generic transcript records', async () => {
    const bench = createWorkbench()
    const tool = { name: 'edit', path: 'src/a.py', kind: 'edit' }
    await bench.session('g', [
      {
        kind: 'message',
        at: at(1),
        id: 'a',
        role: 'assistant',
        content: [
          { type: 'text', text: 'def load_all():' },
          { type: 'other', value: { tool } },
        ],
      },
    ])
    expect(told(await bench.graph.about('session:g'))).toEqual(['edited file src/a.py', 'names symbol load_all'])
    expect(told(await bench.graph.about('src/a.py'))).toEqual(['edited session cairn:g', 'names symbol load_all'])
    expect(told(await bench.graph.about('g#0'))).toEqual([
      'edited file src/a.py',
      'part-of session cairn:g',
      'names symbol load_all',
    ])
  })

  it('infers what a tool of a generic transcript does from its name', async () => {
    const bench = createWorkbench()
    const used = (tool: JsonObject, minutes: number): NewLogEntry => ({
      kind: 'message',
      at: at(minutes),
      id: `m${minutes}`,
      role: 'assistant',
      content: [
        { type: 'text', text: '' },
        { type: 'other', value: { tool } },
      ],
    })
    await bench.session('g', [
      used({ name: 'Edit', path: 'a.ts' }, 1),
      used({ name: 'Write', path: 'b.ts' }, 2),
      used({ name: 'apply_patch', path: 'c.ts' }, 3),
      used({ name: 'apply_patch', input: '*** Begin Patch\n*** Update File: d.ts\n' }, 4),
      used({ name: 'Read', path: 'e.ts' }, 5),
      used({ name: 'Edit', input: { file_path: 'f.ts', new_string: 'x' } }, 6),
      used({ name: 'bash', input: { command: 'cat g.ts' } }, 7),
      used({ name: 'Grep', path: 'h.ts' }, 8),
    ])
    const expected = [
      'mentions file h.ts',
      'read file g.ts',
      'edited file f.ts',
      'read file e.ts',
      'edited file d.ts',
      'edited file c.ts',
      'edited file b.ts',
      'edited file a.ts',
    ]
    expect(told(await bench.graph.about('session:g', { kinds: ['file'] }))).toEqual(expected)
    for (const [position, line] of expected.toReversed().slice(0, 7).entries())
      expect(told(await bench.graph.about(`g#${position}`, { kinds: ['file'] }))).toEqual([line])
    expect(told(await bench.graph.about('c.ts', { kinds: ['session'] }))).toEqual(['edited session cairn:g'])
  })

  it('names the session it was forked from', async () => {
    const bench = createWorkbench()
    await bench.session('first', [messageEntry('x', 1)])
    await bench.session('fork', [messageEntry('x', 2)], { forkedFrom: 'cairn:first' })
    const { links } = await bench.graph.about('session:fork')
    expect(links).toMatchObject([
      { relation: 'forked-from', node: { kind: 'session', id: 'cairn:first', label: 'The session first' } },
    ])
    expect(told(await bench.graph.about('session:first'))).toEqual([])
  })

  it('is found by an unambiguous start of its id', async () => {
    const bench = createWorkbench()
    for (const id of ['abcd-1', 'abcd-2']) await bench.session(id, [messageEntry('x', 1)])
    await expect(bench.graph.about('session:abcd')).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringMatching(/cairn:abcd-\d, cairn:abcd-\d/),
    })
    await expect(bench.graph.about('abcd')).rejects.toMatchObject({ code: 'ambiguous' })
    await expect(bench.graph.about('session:zzz')).rejects.toMatchObject({
      code: 'not-found',
      message: 'There is no session whose id is, or starts with, "zzz".',
    })
  })
})

describe('a message', () => {
  it('links to its session, the files, commits and symbols of its calls, and the entries learnt from it', async () => {
    const { graph } = await project()
    expect(told(await graph.about('cairn:one#0'))).toEqual(['learnt-in entry 01JAAA', 'part-of session cairn:one'])
    const edit = await graph.about('message:one#3')
    expect(edit.node).toMatchObject({
      kind: 'message',
      id: 'cairn:one#3',
      label: expect.stringMatching(/^assistant: Edit src\/auth\.ts/),
    })
    expect(told(edit)).toEqual([
      'edited file src/auth.ts',
      'part-of session cairn:one',
      'names symbol refreshToken',
      'names symbol renew_session',
    ])
    expect(told(await graph.about('one#7'))).toEqual(['committed commit 1a2b3c4', 'part-of session cairn:one'])
    await expect(graph.about('message:one#999')).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('a memory entry', () => {
  it('links to the files it cites, where it was learnt, and the entry that superseded it', async () => {
    const bench = await project()
    expect(told(await bench.graph.about('entry:01JA'))).toEqual([
      'cites file src/auth.ts',
      'learnt-in session cairn:one',
      'learnt-in message cairn:one#0',
      'learnt-in commit 1a2b3c4d5e',
    ])
    await bench.learn(learnt('01JDDD', 'Tokens are renewed in src/renew.ts', { lastConfirmedAt: at(200) }))
    await bench.store.memory.change('/work/app', at(201), () => ({
      writes: [{ op: 'end', id: '01JAAA', reason: 'superseded', replacedBy: '01JDDD' }],
      result: undefined,
    }))
    const ended = await bench.graph.about('01JAAA')
    expect(ended.node.label).toBe('discovery: Tokens are renewed in src/auth.ts (superseded)')
    expect(told(ended)[0]).toBe('superseded-by entry 01JDDD')
    await expect(bench.graph.about('entry:01J')).rejects.toMatchObject({ code: 'ambiguous' })
    await expect(bench.graph.about('entry:99')).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('queries', () => {
  it('without an answer return a sentence that names what was searched for', async () => {
    const { graph } = await project()
    await expect(graph.about('src/nothing.ts')).rejects.toMatchObject({
      code: 'not-found',
      message:
        'Nothing is known about "src/nothing.ts": no file, symbol, session, message, memory entry or commit of that name was found.',
    })
    await expect(graph.about('file:nothing.ts', { workspace: 'app' })).rejects.toMatchObject({
      message: 'No session touched or named, and no memory entry cites, a file "nothing.ts" in the workspace "app".',
    })
    await expect(graph.about(' ')).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(graph.about('file:')).rejects.toMatchObject({ code: 'invalid-input' })
    for (const limit of [0, -1, 1.5, Number.NaN, 5000])
      await expect(graph.about('src/auth.ts', { limit })).rejects.toMatchObject({ code: 'invalid-input' })
    for (const text of ['(', '[a', '\\', '$&', '*', 'a#b', 'x'.repeat(5000), '%', "'; DROP TABLE session; --"])
      await expect(graph.about(text)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('return a limited number of links, newest first, with the number of those left out', async () => {
    const { graph } = await project()
    const all = await graph.about('src/auth.ts', { workspace: 'app', limit: 1000 })
    const some = await graph.about('src/auth.ts', { workspace: 'app', limit: 3 })
    expect(some.links).toEqual(all.links.slice(0, 3))
    expect(some.left).toBe(all.links.length - 3)
    expect(all.links.map(({ lastAt }) => lastAt)).toEqual(
      all.links.map(({ lastAt }) => lastAt).toSorted((left, right) => (right ?? 0) - (left ?? 0)),
    )
  })

  it('cost the same however large the store is', async () => {
    const costOf = async (sessions: number): Promise<Workbench['reads']> => {
      const bench = createWorkbench()
      for (let index = 0; index < sessions; index++)
        await bench.session(`s${index}`, [
          ...edited('src/auth.ts', index, SOURCE),
          ...edited(`src/f${index}.ts`, index),
          ...committed(`abc${String(index).padStart(4, '0')}`, 'x', index),
          ...Array.from({ length: 30 }, (_, position) =>
            messageEntry(`refreshToken ${position}`, index, `w${position}`),
          ),
        ])
      for (const what of ['src/auth.ts', 'refreshToken', 'commit:abc0007']) await bench.graph.about(what)
      return bench.reads
    }
    const [some, many] = [await costOf(120), await costOf(240)]
    expect(many.logs).toBeLessThanOrEqual(some.logs)
    expect(many.entries).toBeLessThanOrEqual(some.entries)
    expect(many.searches).toBeLessThanOrEqual(some.searches)
    expect(many.sessions).toBeLessThanOrEqual(some.sessions)
  })
})
