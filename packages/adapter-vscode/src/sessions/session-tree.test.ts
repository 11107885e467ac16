import type { Store } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { NOW, record } from '../usage/recorded.fixture.ts'
import type { SessionNode } from './session-node.ts'
import { createSessionTree } from './session-tree.ts'
import type { SessionTree, SessionTreeDeps } from './session-tree.ts'

const HOUR = 3_600_000

const treeOf = (store: Store | undefined, more: Partial<SessionTreeDeps> = {}): SessionTree =>
  createSessionTree({
    store: async () => store,
    folders: async () => ['/code/shop'],
    timeZone: 'UTC',
    now: () => NOW,
    ...more,
  })

const text = (node: SessionNode): string =>
  node.kind === 'session'
    ? `${node.session.workspace ?? 'none'} ${node.session.updatedAt ?? 'never'}`
    : node.kind === 'group'
      ? `${node.label} (${node.description})`
      : node.label

const below = async (tree: SessionTree, label: string): Promise<readonly SessionNode[]> => {
  const group = (await tree.children()).find((node) => node.kind === 'group' && node.label === label)
  if (group === undefined) throw new Error(`no group ${label}`)
  return tree.children(group)
}

const filled = async (): Promise<Store> => {
  const store = createInMemoryStore()
  for (const hours of [1, 2, 3, 20, 50, 100, 200, 3_000])
    await record(store, hours % 2 === 0 ? '/code/shop' : '/code/other', NOW - hours * HOUR)
  return store
}

describe('the tree of sessions', () => {
  it('is empty without a store, and with an empty one', async () => {
    expect(await treeOf(undefined).children()).toEqual([])
    expect(await treeOf(createInMemoryStore()).children()).toEqual([])
  })

  it('groups by time, each session once, the newest first', async () => {
    const tree = treeOf(await filled())
    const groups = await tree.children()
    expect(groups.map(text)).toEqual(['Today (3)', 'Yesterday (1)', 'This week (1)', 'Last week (2)', 'Older (1)'])
    const all = (await Promise.all(groups.map((group) => tree.children(group)))).flat()
    expect(all).toHaveLength(8)
    expect(new Set(all.map(({ id }) => id)).size).toBe(8)
    const times = all.map((node) => (node.kind === 'session' ? (node.session.updatedAt ?? 0) : 0))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })

  it('groups times in the future apart from today, folded', async () => {
    const store = await filled()
    await record(store, '/code/shop', Date.UTC(2099, 0, 1))
    await record(store, '/code/shop', NOW + 60_000)
    const tree = treeOf(store)
    const groups = await tree.children()
    expect(groups.slice(0, 3).map(text)).toEqual(['In the future (1)', 'Today (4)', 'Yesterday (1)'])
    expect(groups.map((node) => node.kind === 'group' && node.isOpen)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ])
    expect((await below(tree, 'In the future')).map(text)).toEqual([`/code/shop ${Date.UTC(2099, 0, 1)}`])
  })

  it('loads a page at a time', async () => {
    const tree = treeOf(await filled(), { pageSize: 2 })
    const first = await below(tree, 'Today')
    expect(first.map(({ kind }) => kind)).toEqual(['session', 'session', 'more'])
    const more = first.at(-1)
    expect(more?.kind === 'more' && more.label).toBe('Show more (1 left)')
    if (more?.kind === 'more') tree.showMore(more)
    expect((await below(tree, 'Today')).map(({ kind }) => kind)).toEqual(['session', 'session', 'session'])
    tree.arrange('time', undefined)
    expect(await below(tree, 'Today')).toHaveLength(3)
  })

  it('groups by project, the open one first, and sessions without a project apart', async () => {
    const store = await filled()
    await store.sessions.append({ id: 'pi:x', agent: 'pi', externalId: 'x', title: 'Loose' }, 0, [
      { entry: { kind: 'notice', at: NOW, level: 'info', text: 'Begun' } },
    ])
    const tree = treeOf(store)
    tree.arrange('project', undefined)
    expect((await tree.children()).map(text)).toEqual([
      'shop (open here · /code)',
      'No project (1 session)',
      'other (/code)',
    ])
    expect(await below(tree, 'shop')).toHaveLength(6)
    expect((await below(tree, 'No project')).map(({ id }) => id)).toEqual(['session:pi:x'])
  })

  it('finds projects step by step', async () => {
    const tree = treeOf(await filled(), { projectStep: 1, folders: async () => [] })
    tree.arrange('project', undefined)
    const [first, more] = await tree.children()
    expect([first, more].map((node) => node && text(node))).toEqual([
      'other (/code)',
      'Look for projects in 7 older sessions',
    ])
    if (more?.kind === 'more') tree.showMore(more)
    expect((await tree.children()).map(text)).toEqual([
      'other (/code)',
      'shop (/code)',
      'Look for projects in 6 older sessions',
    ])
  })

  it('shows only what passes the filter', async () => {
    const tree = treeOf(await filled())
    tree.arrange('time', { workspace: 'other' })
    expect((await tree.children()).map(text)).toEqual(['Today (2)'])
    tree.arrange('project', { agent: 'nobody' })
    expect(await tree.children()).toEqual([])
  })
})
