import { createInMemoryStore, recordedReply } from '@cairn/core/testing'
import { viewOf } from '../../security/team/store-view.ts'
import { filterChoices } from '../selection/choices-query.ts'
import { distinctNames, lastPart } from './project-names.ts'
import { projectNames } from './store-project-names.ts'

describe('names of projects', () => {
  const namesOf = (...keys: readonly string[]): readonly string[] => keys.map(distinctNames(keys))

  it('are their last parts, with as much before as tells them apart', () => {
    expect(namesOf('/code/cairn/packages/cli', '/code/other/cli', '/code/shop')).toEqual([
      'packages/cli',
      'other/cli',
      'shop',
    ])
    expect(namesOf('/a/x/app', '/b/x/app', '/b/y/app')).toEqual(['a/x/app', 'b/x/app', 'y/app'])
    expect(namesOf('github.com/acme/shop', 'gitlab.com/acme/shop')).toEqual([
      'github.com/acme/shop',
      'gitlab.com/acme/shop',
    ])
    expect(namesOf('C:\\work\\cli', '/srv/cli')).toEqual(['work\\cli', 'srv/cli'])
  })

  it('are whole where a path is the end of another, or has no part', () => {
    expect(namesOf('/cli', '/a/cli', 'cli')).toEqual(['/cli', 'a/cli', 'cli'])
    expect(namesOf('/', '\\', '')).toEqual(['/', '\\', ''])
    expect(namesOf('/a/cli', '/a/cli/')).toEqual(['/a/cli', '/a/cli/'])
    expect([lastPart('/code/shop/'), lastPart('shop'), lastPart('')]).toEqual(['shop', 'shop', ''])
  })

  it('are quick for thousands that end alike, and differ', () => {
    const keys = Array.from({ length: 3_000 }, (_, index) => `/home/${index % 60}/${index}/app`)
    expect(new Set(namesOf(...keys)).size).toBe(keys.length)
  })

  it('of a store tell folders of the same name apart', async () => {
    const store = createInMemoryStore()
    for (const [index, workspace] of ['/code/a/cli', '/code/b/cli', '/code/web'].entries())
      await store.sessions.append({ id: `s${index}`, agent: 'a', externalId: `s${index}`, workspace }, 0, [
        recordedReply(`r${index}`, 1, 1n),
      ])
    const names = await projectNames(store)
    expect(['/code/a/cli', '/code/b/cli', '/code/web', '/elsewhere/cli'].map(names)).toEqual([
      'a/cli',
      'b/cli',
      'web',
      'cli',
    ])
  })

  it('of a store are those of folders without a session, too, on every page', async () => {
    const store = createInMemoryStore()
    await store.sessions.append({ id: 's', agent: 'a', externalId: 's', workspace: '/code/a/cli' }, 0, [
      recordedReply('r', 1, 1n),
    ])
    await store.notes.set({ workspace: '/tmp/b/cli', key: 'todo', text: 'Ship it', at: 1 })
    const named = ['/code/a/cli', '/tmp/b/cli']
    expect(named.map(await projectNames(store))).toEqual(['a/cli', 'b/cli'])
    const { project, folders } = await filterChoices(store)
    expect([project, folders]).toEqual([
      [{ value: '/code/a/cli', label: 'a/cli' }],
      [{ value: '/tmp/b/cli', label: 'b/cli' }],
    ])
    const { project: alone, folders: none } = await filterChoices(viewOf(store, { role: 'lead' }))
    expect([alone, none]).toEqual([[{ value: '/code/a/cli', label: 'cli' }], []])
  })
})
