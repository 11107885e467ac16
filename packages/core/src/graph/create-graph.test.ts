import { describe, expect, it } from '@jest/globals'
import type { JsonObject } from '../json.ts'
import type { NewLogEntry } from '../session-log.ts'
import {
  at,
  committed,
  createWorkbench,
  edited,
  learnt,
  ran,
  read,
  messageEntry,
  told,
  type Workbench,
} from './graph.fixture.ts'

const SOURCE = 'export const refreshToken = (token: Token): Token => {\n  return renew_session(token)\n}'

/** Three sessions of one project around `src/auth.ts`, and one elsewhere. */
const project = async (): Promise<Workbench> => {
  const bench = createWorkbench()
  await bench.session('one', [
    messageEntry('Mend the login', 0),
    ...read('src/auth.ts', 1),
    ...edited('src/auth.ts', 2, SOURCE),
    ...edited('src/login.ts', 3),
    ...committed('1a2b3c4', 'Mend the login', 4),
    ...edited('src/later.ts', 5),
  ])
  await bench.session('two', [
    messageEntry('Why does refreshToken fail?', 60),
    ...read('/work/app/src/auth.ts', 61),
    ...edited('/work/app/src/auth.ts', 62, SOURCE),
    ...edited('src/login.ts', 63),
  ])
  await bench.session('three', [
    messageEntry('See commit 1a2b3c4', 120),
    ...read('src/auth.ts', 121),
    ...read('src/authors.ts', 122),
  ])
  await bench.session('other', [messageEntry('elsewhere', 180), ...edited('/work/lib/src/auth.ts', 181)], {
    workspace: '/work/lib',
  })
  await bench.learn(
    learnt('01JAAA', 'Tokens are renewed in src/auth.ts', {
      examples: ['src/auth.ts:3-5@1a2b3c4d'],
      sessionId: 'cairn:one',
      messageId: 'm0',
      commit: '1a2b3c4d5e',
      lastConfirmedAt: at(10),
    }),
    learnt('01JBBB', 'refreshToken throws when offline', { kind: 'solution', lastConfirmedAt: at(70) }),
    learnt('01JCCC', 'authors are listed by name', { examples: ['src/authors.ts:1'], lastConfirmedAt: at(71) }),
  )
  return bench
}

describe('a file', () => {
  it('has the sessions that touched it, what was edited with it, its symbols, commits, and the entries that cite it', async () => {
    const { graph } = await project()
    const answer = await graph.about('src/auth.ts', { workspace: 'app' })
    expect(answer.node).toEqual({ kind: 'file', id: 'src/auth.ts', label: 'src/auth.ts', at: at(121) })
    expect(told(answer)).toEqual([
      'read session cairn:three',
      'edited-with file src/login.ts ×2',
      'names symbol refreshToken ×2',
      'names symbol renew_session ×2',
      'edited session cairn:two',
      'read session cairn:two',
      'cites entry 01JAAA',
      'edited-with file src/later.ts',
      'committed commit 1a2b3c4',
      'edited session cairn:one',
      'read session cairn:one',
    ])
    expect(answer.left).toBe(0)
    const session = answer.links.find(({ node }) => node.id === 'cairn:two')
    expect(session).toMatchObject({ node: { label: 'The session two', at: at(63) }, firstAt: at(62), lastAt: at(62) })
    expect(answer.links.find(({ node }) => node.kind === 'commit')).toMatchObject({
      node: { label: '1a2b3c4 Mend the login', at: at(4) },
    })
    expect(answer.links.find(({ node }) => node.id === 'src/login.ts')).toMatchObject({
      firstAt: at(3),
      lastAt: at(63),
    })
  })

  it.each(['file:src/auth.ts', './src/auth.ts', '/work/app/src/auth.ts', String.raw`src\auth.ts`])(
    'is the same however it is written: %s',
    async (what) => {
      const { graph } = await project()
      const answer = await graph.about(what, { workspace: '/work/app', kinds: ['session'] })
      expect(answer.node.kind).toBe('file')
      expect(told(answer).filter((line) => line.startsWith('edited'))).toEqual([
        'edited session cairn:two',
        'edited session cairn:one',
      ])
    },
  )

  it('tells files of one name apart, and says when it does not', async () => {
    const { graph } = await project()
    expect(told(await graph.about('src/auth.ts', { kinds: ['session'] }))).toContain('edited session cairn:other')
    expect(told(await graph.about('/work/lib/src/auth.ts', { kinds: ['session'] }))).toEqual([
      'edited session cairn:other',
    ])
    const bench = createWorkbench()
    await bench.session('a', [...edited('src/util.ts', 1), ...edited('test/util.ts', 2)])
    expect((await bench.graph.about('util.ts')).node.label).toBe('util.ts (2 files: test/util.ts, src/util.ts)')
    expect((await bench.graph.about('test/util.ts')).node.label).toBe('test/util.ts')
    expect(told(await bench.graph.about('test/util.ts'))).toContain('edited-with file src/util.ts')
  })

  it('answers what changed since a time', async () => {
    const { graph } = await project()
    expect(
      told(
        await graph.about('src/auth.ts', {
          workspace: 'app',
          since: at(61),
          until: at(100),
          kinds: ['session', 'commit'],
        }),
      ),
    ).toEqual(['edited session cairn:two', 'read session cairn:two'])
    for (const what of ['src/auth.ts', '/work/app/src/auth.ts'])
      expect((await graph.about(what, { workspace: 'app', since: at(1000) })).links).toEqual([])
  })

  it('is known when only an entry cites it', async () => {
    const bench = createWorkbench()
    await bench.learn(learnt('01J', 'x', { examples: ['docs/plan.md'] }))
    expect(told(await bench.graph.about('docs/plan.md'))).toEqual(['cites entry 01J'])
    expect(told(await bench.graph.about('plan.md'))).toEqual(['cites entry 01J'])
  })
})

describe('a file that is named in texts', () => {
  const spoken = async (): Promise<Workbench> => {
    const bench = createWorkbench()
    await bench.session('chat', [
      messageEntry('Why is src/auth/sessionStore.ts so slow?', 1),
      messageEntry('See /work/app/src/auth/sessionStore.ts:12, or ./src/auth/sessionStore.ts.', 2),
      messageEntry('sessionStore.ts it is', 3),
      messageEntry('@src/auth/sessionStore.ts it is', 3.5),
      messageEntry('not sessionStore.tsx, nor mysessionStore.ts, nor the sessionStore', 4),
    ])
    await bench.session('work', [
      ...edited('src/auth/sessionStore.ts', 60),
      ...ran('Bash', { command: 'npm test src/auth/sessionStore.ts' }, 'ok', 61),
      messageEntry('done', 62),
    ])
    await bench.session('far', [messageEntry('src/auth/sessionStore.ts here too', 120)], { workspace: '/work/lib' })
    return bench
  }

  it('has them beside the sessions that touched it, each message once, and says how many they are', async () => {
    const { graph } = await spoken()
    const answer = await graph.about('src/auth/sessionStore.ts', { kinds: ['session'], workspace: 'app' })
    expect(told(answer)).toEqual([
      'mentions session cairn:work',
      'edited session cairn:work',
      'mentions session cairn:chat ×4',
    ])
    expect(answer.node).toMatchObject({
      kind: 'file',
      id: 'src/auth/sessionStore.ts',
      label: 'src/auth/sessionStore.ts (named in 5 messages)',
      at: at(61),
    })
    expect(told(await graph.about('src/auth/sessionStore.ts', { kinds: ['message'], workspace: 'app' }))).toEqual([
      'mentions message cairn:work#2',
      'mentions message cairn:chat#3',
      'mentions message cairn:chat#2',
      'mentions message cairn:chat#1',
      'mentions message cairn:chat#0',
    ])
    expect(told(await graph.about('/work/app/src/auth/sessionStore.ts', { kinds: ['session'] }))).toEqual([
      'mentions session cairn:work',
      'edited session cairn:work',
      'mentions session cairn:chat ×4',
    ])
    expect(told(await graph.about('src/auth/sessionStore.ts', { kinds: ['session'], until: at(2) }))).toEqual([
      'mentions session cairn:chat',
    ])
  })

  it('is known where nothing touched it, in the project that is asked about', async () => {
    const { graph } = await spoken()
    expect(told(await graph.about('auth/sessionStore.ts', { workspace: 'lib' }))).toEqual([
      'mentions session cairn:far',
      'mentions message cairn:far#0',
    ])
    expect((await graph.about('auth/sessionStore.ts', { workspace: 'lib', until: at(1) })).links).toEqual([])
    expect((await graph.about('file:sessionStore.ts', { workspace: 'lib' })).node.label).toBe(
      'sessionStore.ts (named in 1 message)',
    )
    // A name alone may be anything's: whoever does not say that it is a file is told of the symbol.
    expect((await graph.about('sessionStore.ts', { workspace: 'lib' })).node.kind).toBe('symbol')
    await expect(graph.about('file:auth/sessionStore.js')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('is not meant by the name of another file', async () => {
    const bench = createWorkbench()
    await bench.session('a', [
      messageEntry('src/index.ts and test/index.ts, each an index.ts', 1),
      messageEntry('index.ts', 2),
      messageEntry('test/src/index.ts', 3),
    ])
    expect(told(await bench.graph.about('src/index.ts', { kinds: ['message'] }))).toEqual([
      'mentions message cairn:a#0',
    ])
    expect((await bench.graph.about('file:index.ts', { kinds: ['session'] })).links).toMatchObject([{ count: 3 }])
  })

  it('says that there may be more than were looked at', async () => {
    const bench = createWorkbench()
    await bench.session(
      'a',
      Array.from({ length: 505 }, (_, number) => messageEntry(`number ${number}: src/walrus.ts`, number, `m${number}`)),
    )
    expect((await bench.graph.about('src/walrus.ts')).node.label).toBe('src/walrus.ts (named in at least 50 messages)')
  })
})

describe('a symbol', () => {
  it('has the messages and sessions that name it, the files of these, and entries', async () => {
    const { graph } = await project()
    const answer = await graph.about('refreshToken')
    expect(answer.node).toMatchObject({ kind: 'symbol', id: 'refreshToken', at: at(62) })
    expect(told(answer)).toEqual(
      expect.arrayContaining([
        'names entry 01JBBB',
        'mentions session cairn:two ×2',
        'mentions session cairn:one',
        'mentions message cairn:two#0',
        'edited file src/auth.ts ×2',
      ]),
    )
    expect(answer.links.find(({ node }) => node.id === 'cairn:two#0')?.node.label).toBe('Why does refreshToken fail?')
  })

  it('is only what stands for itself', async () => {
    const bench = createWorkbench()
    await bench.session('a', [messageEntry('the authors of author.ts', 1)])
    await expect(bench.graph.about('symbol:auth')).rejects.toMatchObject({
      code: 'not-found',
      message: 'No message and no memory entry names "auth".',
    })
  })
})

describe('a session', () => {
  it('has its files, commits, symbols and what was learnt in it', async () => {
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

  it('has what was learnt in it for another project', async () => {
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

  it('counts files over its messages, with the first and last time', async () => {
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

  it('has what a generic transcript says of its tools', async () => {
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

  it('has what a tool of a generic transcript does, told from its name', async () => {
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

  it('says which one it was forked from', async () => {
    const bench = createWorkbench()
    await bench.session('first', [messageEntry('x', 1)])
    await bench.session('fork', [messageEntry('x', 2)], { forkedFrom: 'cairn:first' })
    const { links } = await bench.graph.about('session:fork')
    expect(links).toMatchObject([
      { relation: 'forked-from', node: { kind: 'session', id: 'cairn:first', label: 'The session first' } },
    ])
    expect(told(await bench.graph.about('session:first'))).toEqual([])
  })

  it('is asked for by enough of its id', async () => {
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
  it('has its session, the files, commits and symbols of its calls, and what was learnt in it', async () => {
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
  it('has the files that it cites, where it was learnt, and what stands in its place', async () => {
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

describe('a commit', () => {
  it('has the session that made it, the files edited before it, who names it, and what was learnt from it', async () => {
    const { graph } = await project()
    for (const what of ['commit:1a2b3c4', '1a2b3c4', '1A2B3C4D5E']) {
      const answer = await graph.about(what)
      expect(answer.node).toMatchObject({ kind: 'commit', id: '1a2b3c4', label: '1a2b3c4 Mend the login', at: at(4) })
      expect(told(answer)).toEqual([
        'mentions session cairn:three',
        'learnt-in entry 01JAAA',
        'committed session cairn:one',
        'edited file src/login.ts',
        'edited file src/auth.ts',
      ])
    }
  })

  it('has only the files since the commit before it', async () => {
    const bench = createWorkbench()
    await bench.session('a', [
      ...edited('a.ts', 1),
      ...committed('aaaaaa1', 'First', 2),
      ...edited('b.ts', 3),
      ...committed('bbbbbb2', 'Second', 4),
    ])
    expect(told(await bench.graph.about('commit:bbbbbb2', { kinds: ['file'] }))).toEqual(['edited file b.ts'])
    await expect(bench.graph.about('commit:fffffff')).rejects.toMatchObject({ code: 'not-found' })
    await expect(bench.graph.about('commit:no hash')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('is known by the session that made it however often it is mentioned', async () => {
    const bench = createWorkbench()
    await bench.session('maker', [
      ...edited('a.ts', 1),
      ...committed('c2b0273', 'Mend the flag', 2),
      messageEntry('done: c2b0273', 3),
    ])
    for (let index = 0; index < 15; index++)
      await bench.session(
        `talk${index}`,
        Array.from({ length: 20 }, (_, position) =>
          messageEntry('c2b0273 c2b0273 c2b0273', 1000 + index * 20 + position, `t${position}`),
        ),
      )
    const answer = await bench.graph.about('commit:c2b0273', { limit: 100 })
    expect(answer.node).toMatchObject({ label: 'c2b0273 Mend the flag', at: at(2) })
    expect(told(answer)).toEqual(
      expect.arrayContaining([
        'committed session cairn:maker',
        'edited file a.ts',
        'mentions session cairn:talk0 ×20',
        'mentions session cairn:talk14 ×20',
      ]),
    )
  })

  it('is one commit in all lengths of its hash, whichever was printed', async () => {
    const bench = createWorkbench()
    await bench.session('maker', [...edited('a.ts', 1), ...committed('9f5a3c761', 'Add a path', 2)])
    await bench.session('talk', [messageEntry('9f5a3c7 is 9f5a3c761', 10), messageEntry('why 9f5a3c7?', 11)])
    for (const what of ['9f5a3c7', '9f5a3c76', '9f5a3c761', '9f5a3c7612', '9f5a3c761aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']) {
      expect(told(await bench.graph.about(`commit:${what}`))).toEqual([
        'mentions session cairn:talk ×2',
        'committed session cairn:maker',
        'edited file a.ts',
      ])
    }
    expect(told(await bench.graph.about('session:maker', { kinds: ['commit'] }))).toEqual([
      'committed commit 9f5a3c761',
    ])
  })

  it('counts the same from a session and from the commit', async () => {
    const bench = createWorkbench()
    await bench.session('maker', [
      ...committed('aaaaaa1', 'First', 1),
      messageEntry('aaaaaa1 is done', 2),
      ...ran('Bash', { command: 'git log --oneline' }, 'aaaaaa1 First', 3),
      ...committed('aaaaaa1', 'First', 4),
    ])
    await bench.session('reader', [
      ...ran('Bash', { command: 'git log --oneline' }, 'aaaaaa1 First', 10),
      messageEntry('see aaaaaa1', 11),
    ])
    expect(told(await bench.graph.about('session:maker', { kinds: ['commit'] }))).toEqual([
      'committed commit aaaaaa1 ×2',
    ])
    expect(told(await bench.graph.about('session:reader', { kinds: ['commit'] }))).toEqual([
      'mentions commit aaaaaa1 ×2',
    ])
    expect(told(await bench.graph.about('commit:aaaaaa1', { kinds: ['session'] }))).toEqual([
      'mentions session cairn:reader ×2',
      'committed session cairn:maker ×2',
    ])
  })
})

describe('questions', () => {
  it('that nothing answers get a sentence of what was looked for', async () => {
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

  it('are given so many links, the newest first, and told how many there are more', async () => {
    const { graph } = await project()
    const all = await graph.about('src/auth.ts', { workspace: 'app', limit: 1000 })
    const some = await graph.about('src/auth.ts', { workspace: 'app', limit: 3 })
    expect(some.links).toEqual(all.links.slice(0, 3))
    expect(some.left).toBe(all.links.length - 3)
    expect(all.links.map(({ lastAt }) => lastAt)).toEqual(
      all.links.map(({ lastAt }) => lastAt).toSorted((left, right) => (right ?? 0) - (left ?? 0)),
    )
  })

  it('cost the same however much there is', async () => {
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
