import { HOUR, NOW, SHOP, openFixture } from './memory.fixture.ts'
import type { MemoryFixture } from './memory.fixture.ts'
import {
  entryDescription,
  entrySpoken,
  entryTooltip,
  firstWords,
  noteDescription,
  noteTooltip,
} from './memory-label.ts'
import type { MemoryNode } from './memory-node.ts'
import { createMemoryTree } from './memory-tree.ts'
import type { MemoryTree } from './memory-tree.ts'

let fixture: MemoryFixture
beforeEach(() => {
  fixture = openFixture()
})

const treeOf = (projects: readonly string[] = [SHOP], mostItems?: number): MemoryTree =>
  createMemoryTree({
    engine: async () => fixture.engine,
    projects: async () => projects,
    ...(mostItems === undefined ? {} : { mostItems }),
  })
const text = (node: MemoryNode): string => {
  switch (node.kind) {
    case 'project':
      return node.project
    case 'group':
      return `${node.group} ${node.items.length + node.left}`
    case 'entry':
      return `${firstWords(node.entry.text)} (${entryDescription(node.entry, NOW)})`
    case 'note':
      return `${node.note.key} (${noteDescription(node.note, NOW)})`
    case 'left':
      return `${node.count} more: ${node.command}`
  }
}
const texts = async (tree: MemoryTree, node?: MemoryNode): Promise<readonly string[]> => {
  const rows: string[] = []
  for (const each of await tree.children(node))
    rows.push(text(each), ...(await texts(tree, each)).map((below) => `  ${below}`))
  return rows
}

describe('the tree of memory and notes', () => {
  it('is empty without a store, a folder, or anything remembered', async () => {
    const none = createMemoryTree({ engine: async () => undefined, projects: async () => [SHOP] })
    expect([await none.children(), await none.version()]).toEqual([[], 'none'])
    expect(await treeOf([]).children()).toEqual([])
    expect(await treeOf().children()).toEqual([])
  })

  it('has entries by kind, the last confirmed first, with their confidence, and notes', async () => {
    const { engine, clock, fileSystem } = fixture
    fileSystem.write(`${SHOP}/src/cart.ts`, 'first\nconst total = sum(items) // late\n')
    clock.set(NOW - 30 * HOUR)
    await engine.memory.add({ workspace: SHOP, kind: 'solution', text: 'Raise ulimit', confidence: 0.9 })
    await engine.notes.set(SHOP, 'release', 'tag,\nbuild')
    clock.set(NOW - 3 * HOUR)
    const tests = await engine.memory.add({
      workspace: SHOP,
      kind: 'discovery',
      text: 'Tests need Redis',
      confidence: 0.55,
    })
    await engine.memory.add({
      workspace: SHOP,
      kind: 'discovery',
      text: 'Totals are rounded late\nand never in the cart',
      examples: ['src/cart.ts:2'],
    })
    fileSystem.write(`${SHOP}/src/cart.ts`, 'first\nconst total = 0\n')
    await engine.memory.add({ workspace: '/work/other', kind: 'failure', text: 'elsewhere' })
    clock.set(NOW)
    await engine.memory.confirm(tests.entry.id)
    expect(await texts(treeOf())).toEqual([
      'discovery 2',
      expect.stringMatching(/^ {2}Tests need Redis \(\d+ % · now\)$/),
      '  Totals are rounded late and never in the cart (80 % · out of date? · 3 h)',
      'solution 1',
      '  Raise ulimit (90 % · 1 d)',
      'notes 1',
      '  release (tag, build · 1 d)',
    ])
  })

  it('names projects where several are open and know something', async () => {
    const { engine } = fixture
    await engine.notes.set('/work/other', 'a', 'x')
    await engine.memory.add({ workspace: SHOP, kind: 'workflow', text: 'first build' })
    expect(await texts(treeOf([SHOP, '/work/empty', '/work/other', SHOP]))).toEqual([
      SHOP,
      '  workflow 1',
      '    first build (70 % · now)',
      '/work/other',
      '  notes 1',
      '    a (x · now)',
    ])
  })

  it('lists some of very many', async () => {
    const { engine } = fixture
    for (const word of ['one', 'two', 'three']) {
      await engine.memory.add({ workspace: SHOP, kind: 'pattern', text: `pattern ${word}` })
      await engine.notes.set(SHOP, word, word)
    }
    const rows = await texts(treeOf([SHOP], 2))
    expect(rows.filter((row) => row.includes('more'))).toEqual([
      '  1 more: cairn memory list',
      '  1 more: cairn note list',
    ])
    expect(rows).toContain('pattern 3')
  })

  it('has another version after each change of what it shows, and the same otherwise', async () => {
    const { engine, clock } = fixture
    const tree = treeOf()
    const versions = [await tree.version()]
    const { entry } = await engine.memory.add({ workspace: SHOP, kind: 'failure', text: 'Node 20' })
    versions.push(await tree.version())
    clock.set(NOW + 1)
    await engine.memory.confirm(entry.id)
    versions.push(await tree.version())
    await engine.notes.set(SHOP, 'a', 'x')
    versions.push(await tree.version())
    await engine.memory.forget(entry.id)
    versions.push(await tree.version())
    expect(new Set(versions).size).toBe(5)
    await engine.memory.add({ workspace: '/work/other', kind: 'failure', text: 'elsewhere' })
    expect(await tree.version()).toBe(versions[4])
  })

  it('reads no text to find its version', async () => {
    const { engine } = fixture
    const { memory, notes } = engine.store
    const list = () => Promise.reject(new Error('all texts were read'))
    const store = { ...engine.store, memory: { ...memory, list }, notes: { ...notes, list } }
    const tree = createMemoryTree({ engine: async () => ({ ...engine, store }), projects: async () => [SHOP] })
    const before = await tree.version()
    await engine.notes.set(SHOP, 'a', 'x')
    expect(await tree.version()).not.toBe(before)
  })

  it('makes texts harmless', async () => {
    const { engine } = fixture
    const { entry } = await engine.memory.add({
      workspace: SHOP,
      kind: 'discovery',
      text: '[x](command:evil) <img> \u202e\n# head',
      examples: ['a|b'],
    })
    const tooltip = entryTooltip(entry)
    expect(tooltip).not.toMatch(/[^\\](\[|<)/)
    expect(tooltip).not.toMatch(/\u202e|^#/m)
    expect(tooltip).toContain('\\# head')
    expect(entrySpoken(entry, NOW)).toBe(
      'Discovery, [x](command:evil) <img> \ufffd # head, 80 % sure, recorded just now',
    )
    const note = await engine.notes.set(SHOP, '`key`', '<b>')
    expect(noteTooltip(note)).toContain('**\\`key\\`**')
    expect(noteTooltip(note)).toContain('\\<b\\>')
  })
})
