import { describe, expect, it } from '@jest/globals'
import { at, createWorkbench, edited, learnt, ran, messageEntry, told, type Workbench } from './graph.fixture.ts'
import { project } from './graph-project.fixture.ts'

describe('a file', () => {
  it('links to the sessions that touched it, files edited with it, its symbols and commits, and entries that cite it', async () => {
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
    'is the same however its path is written: %s',
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

  it("tells files of the same name apart, and says when it can't", async () => {
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

  it('lists what changed since a time', async () => {
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

  it('is found when only a memory entry cites it', async () => {
    const bench = createWorkbench()
    await bench.learn(learnt('01J', 'x', { examples: ['docs/plan.md'] }))
    expect(told(await bench.graph.about('docs/plan.md'))).toEqual(['cites entry 01J'])
    expect(told(await bench.graph.about('plan.md'))).toEqual(['cites entry 01J'])
  })
})

describe('a file that texts mention', () => {
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

  it('lists the mentions beside the sessions that touched it, each message once, with their number', async () => {
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

  it('is found in the requested project where nothing touched it', async () => {
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

  it('is not matched by the name of another file', async () => {
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

  it('says that there may be more mentions than were examined', async () => {
    const bench = createWorkbench()
    await bench.session(
      'a',
      Array.from({ length: 505 }, (_, number) => messageEntry(`number ${number}: src/walrus.ts`, number, `m${number}`)),
    )
    expect((await bench.graph.about('src/walrus.ts')).node.label).toBe('src/walrus.ts (named in at least 50 messages)')
  })
})

describe('a symbol', () => {
  it('links to the messages and sessions that mention it, their files, and memory entries', async () => {
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

  it('matches whole words only', async () => {
    const bench = createWorkbench()
    await bench.session('a', [messageEntry('the authors of author.ts', 1)])
    await expect(bench.graph.about('symbol:auth')).rejects.toMatchObject({
      code: 'not-found',
      message: 'No message and no memory entry names "auth".',
    })
  })
})
