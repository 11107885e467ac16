import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import {
  checkpointDescription,
  checkpointSpoken,
  checkpointTitle,
  checkpointTooltip,
  differenceText,
} from './checkpoint-label.ts'
import type { CheckpointTreeNode } from './checkpoint-node.ts'
import { checkpointRoots } from './checkpoint-roots.ts'
import { createCheckpointTree } from './checkpoint-tree.ts'
import type { CheckpointTree, CheckpointTreeDeps } from './checkpoint-tree.ts'
import { MINUTE, START, createTestProject } from './project.fixture.ts'
import type { TestProject } from './project.fixture.ts'

const NOW = START + 60 * MINUTE
let project: TestProject
beforeEach(() => {
  project = createTestProject()
})
afterEach(() => project.close())

/** A tree, and a promise of the next time that it has counted something. */
const treeOf = (more: Partial<CheckpointTreeDeps> = {}): { tree: CheckpointTree; counted: () => Promise<void> } => {
  const waiting: (() => void)[] = []
  const tree = createCheckpointTree({
    engine: async () => project.engine,
    roots: () => [project.root],
    onCounted: () => waiting.splice(0).forEach((resolve) => resolve()),
    ...more,
  })
  return { tree, counted: () => new Promise((resolve) => waiting.push(resolve)) }
}

const text = (node: CheckpointTreeNode): string => {
  switch (node.kind) {
    case 'checkpoint':
      return `${checkpointTitle(node.checkpoint)} · ${checkpointDescription(node, NOW)}`
    case 'difference':
      return `${node.difference.path} ${differenceText(node.difference)}`
    case 'root':
      return node.root
    case 'more':
      return `${node.left} more`
    case 'note':
      return node.text
  }
}
const texts = async (tree: CheckpointTree, node?: CheckpointTreeNode): Promise<readonly string[]> =>
  (await tree.children(node)).map(text)
const top = async (tree: CheckpointTree, index: number): Promise<CheckpointTreeNode> => {
  const node = (await tree.children())[index]
  if (node === undefined) throw new Error(`no node ${index}`)
  return node
}

describe('the tree of checkpoints', () => {
  it('is empty without a store, and without checkpoints', async () => {
    expect(await treeOf({ engine: async () => undefined }).tree.children()).toEqual([])
    expect(await treeOf().tree.children()).toEqual([])
  })

  it('lists them, the newest first, with age, changes and session once they are counted', async () => {
    project.write({ 'a.ts': '1', 'b.ts': '1', 'c.ts': '1' })
    await project.edited('a.ts', 'codex:one')
    await project.checkpoint('before the upgrade')
    project.write({ 'a.ts': '2', 'd.ts': '2' })
    await project.checkpoint(undefined, 'codex:one')
    await project.checkpoint('\u001b[31mred\u202e')
    const { tree, counted } = treeOf()
    const seen = counted()
    expect(await texts(tree)).toEqual([
      '␛[31mred\ufffd · 56 min',
      expect.stringMatching(/^Checkpoint \S{1,8} · 57 min · codex:one$/),
      'before the upgrade · 58 min · the first, 3 files',
    ])
    await seen
    expect(await texts(tree)).toEqual([
      '␛[31mred\ufffd · 56 min · nothing changed',
      expect.stringMatching(/^Checkpoint \S{1,8} · 57 min · 2 changed · codex:one$/),
      'before the upgrade · 58 min · the first, 3 files',
    ])
    const node = await top(tree, 1)
    if (node.kind !== 'checkpoint') throw new Error('no checkpoint')
    expect(checkpointSpoken(node, NOW)).toMatch(
      /, 57 min ago, 2 files changed since the one before, session codex:one$/,
    )
    expect(checkpointTooltip(node)).toContain('| Session | codex\\:one \\(codex\\) |')
    expect(checkpointTooltip(node)).toContain('| Changed | 2 files since the one before |')
  }, 60_000)

  it('shows below each what differs from it now, and compares again only when told to', async () => {
    project.write({ 'a.ts': '1', 'sub/b.ts': '1', 'c.ts': '1' })
    await project.checkpoint('one')
    project.write({ 'a.ts': '2', 'new.ts': '2' })
    project.remove('sub/b.ts')
    const { tree } = treeOf()
    const node = await top(tree, 0)
    expect(tree.hasDifferences()).toBe(false)
    const differing = ['a.ts changed', 'new.ts came since', 'sub/b.ts is gone']
    expect(await texts(tree, node)).toEqual(differing)
    expect(tree.hasDifferences()).toBe(true)
    project.write({ 'a.ts': '1', 'sub/b.ts': '1' })
    project.remove('new.ts')
    expect(await texts(tree, node)).toEqual(differing)
    tree.forgetDifferences()
    expect(await texts(tree, node)).toEqual(['The files are as they were then'])
  }, 60_000)

  it('lists a page of checkpoints, and not all of very many files', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      project.write({ [`${name}.ts`]: name })
      await project.checkpoint(name)
    }
    const { tree, counted } = treeOf({ pageSize: 2, mostFiles: 3 })
    const titles = async () => (await tree.children()).map((node) => text(node).split(' · ')[0])
    const seen = counted()
    expect(await titles()).toEqual(['five', 'four', '3 more'])
    await seen
    tree.showMore(project.root)
    const later = counted()
    expect(await titles()).toEqual(['five', 'four', 'three', 'two', '1 more'])
    await later
    tree.showMore(project.root)
    expect(await texts(tree)).toEqual([
      'five · 55 min · 1 changed',
      'four · 56 min · 1 changed',
      'three · 57 min · 1 changed',
      'two · 58 min · 1 changed',
      'one · 59 min · the first, 1 file',
    ])
    expect(await texts(tree, await top(tree, 4))).toEqual([
      'five.ts came since',
      'four.ts came since',
      'three.ts came since',
      '1 file more: cairn checkpoint diff --names lists all',
    ])
  }, 60_000)

  it('has a node for each folder of several; one that is refused leaves the others as they are', async () => {
    const home = join(project.root, '..', 'home')
    const empty = join(project.root, '..', 'empty')
    for (const folder of [home, empty]) mkdirSync(folder)
    project.write({ 'a.ts': '1' })
    await project.checkpoint('one')
    const roots = [project.root, home, empty].map((folder) => realpathSync(folder))
    const { tree } = treeOf({ roots: () => roots })
    const nodes = await tree.children()
    expect(nodes.map(text)).toEqual(roots)
    const below = await Promise.all(nodes.map((node) => texts(tree, node)))
    expect(below[0]).toEqual(['one · 59 min · the first, 1 file'])
    expect(below[1]).toEqual([expect.stringMatching(/^No checkpoint is made of .*home folder/)])
    expect(below[2]).toEqual(['No checkpoint was made of this folder yet'])
    await expect(treeOf({ roots: () => [home] }).tree.children()).rejects.toMatchObject({ code: 'invalid-input' })
  }, 60_000)
})

describe('the folders of checkpoints', () => {
  it('are the tops of repositories, each once, and only those that are there', () => {
    project.write({ '.git/HEAD': '', 'packages/a/x': '', 'packages/b/x': '' })
    const { root } = project
    expect(
      checkpointRoots([
        join(root, 'packages/b'),
        join(root, 'packages/a'),
        root,
        join(root, 'nowhere'),
        join(root, '..'),
      ]),
    ).toEqual([root, join(root, '..')])
    expect(checkpointRoots([])).toEqual([])
  })
})
