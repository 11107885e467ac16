import { NOW, HOUR, SHOP, openFixture } from './memory.fixture.ts'
import { citedLocation } from './cited-location.ts'
import { entryAddress, entryTextAddress, noteAddress, rememberedTextOf } from './memory-address.ts'
import { entryDocument } from './memory-document.ts'
import { readRemembered, writeRemembered } from './remembered-text.ts'

describe('the document of an entry', () => {
  it('has its text, its evidence with what has changed, and what it said before', async () => {
    const { engine, clock, fileSystem } = openFixture()
    fileSystem.write(`${SHOP}/src/cart.ts`, 'first\nconst total = sum(items) // late\n')
    await engine.sessions.append(
      { id: 'codex:1', agent: 'codex', externalId: '1', workspace: SHOP, title: 'Fix the cart' },
      0,
      [{ entry: { kind: 'message', at: NOW, id: 'm', role: 'user', content: [{ type: 'text', text: 'hello' }] } }],
    )
    clock.set(NOW - 5 * HOUR)
    const { entry } = await engine.memory.add({
      workspace: SHOP,
      kind: 'discovery',
      text: 'Tests need Redis',
      examples: ['src/cart.ts:2', 'as Ann said'],
      sessionId: 'codex:1',
      commit: '1a2b3c4',
    })
    clock.set(NOW)
    await engine.memory.update(entry.id, { text: '# Tests need Redis 8\non 6380\u202e' })
    fileSystem.write(`${SHOP}/src/cart.ts`, 'first\nconst total = 0\n')
    const [known, history, session] = [
      await engine.memory.get(entry.id),
      await engine.memory.history(entry.id),
      await engine.store.sessions.get('codex:1'),
    ]
    const { text, links } = entryDocument({ entry: known, history, session })
    const lines = text.split('\n')
    expect(lines.slice(0, 4)).toEqual(['# Discovery', '', '  # Tests need Redis 8', '  on 6380\ufffd'])
    expect(text).toContain('confidence    80 %')
    expect(text).toContain('\n## Evidence\n\n  src/cart.ts:2   out of date? ')
    expect(text).toContain('  as Ann said\n  commit 1a2b3c4\n  Fix the cart   codex, ')
    expect(text).toMatch(
      /\n## History\n\n {2}since .*: discovery, 80 %\n {2}.* to .*, then changed: discovery, 80 %\n {4}Tests need Redis\n/,
    )
    expect(links.map(({ line, from, to }) => lines[line]?.slice(from, to))).toEqual([
      'src/cart.ts:2',
      'as Ann said',
      'Fix the cart',
    ])
  })

  it('says of one that was forgotten that it is, and has no evidence where there is none', async () => {
    const { engine } = openFixture()
    const { entry } = await engine.memory.add({ workspace: SHOP, kind: 'context_rule', text: 'No tabs' })
    await engine.memory.forget(entry.id)
    const history = await engine.memory.history(entry.id)
    const { text, links } = entryDocument({ entry, history, session: undefined })
    expect(text).toContain('state         ended')
    expect(text).toContain(', then forgotten')
    expect(text).not.toContain('Evidence')
    expect(links).toEqual([])
  })
})

describe('the lines that an entry cites', () => {
  it('are in its project', () => {
    expect(citedLocation(SHOP, 'src/a.ts:3-5@1a2b3c4d')).toEqual({ path: `${SHOP}/src/a.ts`, from: 2, to: 4 })
    expect(citedLocation(SHOP, `${SHOP}/a.ts:1`)).toEqual({ path: `${SHOP}/a.ts`, from: 0, to: 0 })
    for (const example of [
      '../other/a.ts:1',
      '/etc/passwd:1',
      'src/../../a.ts:1',
      'as Ann said',
      'https://a.example:80',
    ])
      expect(citedLocation(SHOP, example)).toBeUndefined()
    expect(citedLocation('unknown', 'src/a.ts:1')).toBeUndefined()
  })
})

describe('the addresses of what is remembered', () => {
  it('name it, whatever characters it has, and have no separator in their names', () => {
    const entry = {
      id: '01J00000000000000012345678',
      workspace: '/a b/ü&x',
      kind: 'failure',
      text: 'a/b: #c?',
    } as const
    for (const address of [entryAddress(entry), entryTextAddress(entry)]) {
      expect(rememberedTextOf(address.query)).toEqual({ kind: 'entry', project: '/a b/ü&x', id: entry.id })
      expect(address.path.split('/')).toHaveLength(3)
    }
    const note = noteAddress({ workspace: 'C:\\shop', key: '../x&entry=1' })
    expect(rememberedTextOf(note.query)).toEqual({ kind: 'note', project: 'C:\\shop', key: '../x&entry=1' })
    expect(noteAddress({ workspace: SHOP, key: '..' }).path).toBe('/Cairn memory/note.txt')
    expect(rememberedTextOf('entry=1')).toBeUndefined()
  })
})

describe('the texts of what is remembered', () => {
  it('are kept when they are saved, with the former ones in the history', async () => {
    const { engine, clock } = openFixture()
    const { entry } = await engine.memory.add({ workspace: SHOP, kind: 'discovery', text: 'Tests need Redis' })
    await engine.notes.set(SHOP, 'release', 'tag')
    const what = { kind: 'entry', project: SHOP, id: entry.id } as const
    const note = { kind: 'note', project: SHOP, key: 'release' } as const
    expect(await readRemembered(engine, what)).toEqual({ text: 'Tests need Redis', at: NOW })
    clock.set(NOW + 5)
    await writeRemembered(engine, what, 'Tests need Redis\r\n')
    await writeRemembered(engine, note, 'tag\n')
    expect([(await engine.memory.history(entry.id)).length, (await readRemembered(engine, note))?.at]).toEqual([1, NOW])
    await writeRemembered(engine, what, 'Tests need Redis 8\r\non 6380')
    await writeRemembered(engine, note, 'tag\nbuild\n')
    expect(await readRemembered(engine, what)).toEqual({ text: 'Tests need Redis 8\non 6380', at: NOW + 5 })
    expect((await readRemembered(engine, note))?.text).toBe('tag\nbuild\n')
    expect((await engine.memory.history(entry.id)).map((version) => version.entry.text)).toEqual([
      'Tests need Redis',
      'Tests need Redis 8\non 6380',
    ])
  })

  it('are refused where they are empty, and are gone once they are forgotten', async () => {
    const { engine } = openFixture()
    const { entry } = await engine.memory.add({ workspace: SHOP, kind: 'discovery', text: 'Tests need Redis' })
    const what = { kind: 'entry', project: SHOP, id: entry.id } as const
    await expect(writeRemembered(engine, what, ' \n')).rejects.toThrow('needs a text')
    await engine.memory.forget(entry.id)
    expect(await readRemembered(engine, what)).toBeUndefined()
    await expect(writeRemembered(engine, what, 'again')).rejects.toMatchObject({ code: 'not-found' })
    expect(await readRemembered(engine, { kind: 'note', project: SHOP, key: 'none' })).toBeUndefined()
  })
})
