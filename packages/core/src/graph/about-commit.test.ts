import { describe, expect, it } from '@jest/globals'
import { at, committed, createWorkbench, edited, ran, messageEntry, told } from './graph.fixture.ts'
import { project } from './graph-project.fixture.ts'

describe('a commit', () => {
  it('links to the session that made it, the files edited before it, messages that mention it, and entries learnt from it', async () => {
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

  it('has only the files edited since the previous commit', async () => {
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

  it('is attributed to the session that made it however often others mention it', async () => {
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

  it('is the same commit under every length of its hash', async () => {
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

  it('has the same counts from the session and from the commit', async () => {
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
