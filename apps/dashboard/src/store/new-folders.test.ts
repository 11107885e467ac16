import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInMemoryStore, recordedReply } from '@cairn/core/testing'
import { createFolderLooks } from './new-folders.ts'

describe('folders that nobody looked at', () => {
  let root: string
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-new-folders-')))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const clone = (name: string): string => {
    const folder = join(root, name)
    mkdirSync(join(folder, '.git'), { recursive: true })
    writeFileSync(join(folder, '.git', 'config'), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
    return folder
  }
  const filled = async () => {
    const store = createInMemoryStore()
    const work = async (workspace: string): Promise<void> => {
      const id = `x:${workspace}`
      await store.sessions.append({ id, agent: 'x', externalId: workspace, workspace }, 0, [
        recordedReply(workspace, 1_000, 7_000n),
      ])
    }
    const projects = async (): Promise<readonly string[]> =>
      (await store.usage.report({ by: 'project' })).rows.map(({ key }) => key)
    return { store, work, projects }
  }

  it('are one project once they were looked at, also where another came later', async () => {
    const { store, work, projects } = await filled()
    const lookAt = createFolderLooks()
    for (const name of ['shop', 'shop-copy']) await work(clone(name))
    expect(await projects()).toHaveLength(2)
    await lookAt(store, 1)
    expect(await projects()).toEqual(['github.com/acme/shop'])
    await work(clone('shop-again'))
    await lookAt(store, 1)
    expect(await projects()).toHaveLength(2)
    await lookAt(store, 2)
    expect(await projects()).toEqual(['github.com/acme/shop'])
  })

  it('are waited for no longer than some time, and looked at by one at a time', async () => {
    let asked = 0
    let answer: (folders: readonly []) => void = () => undefined
    const projects = {
      workspaces: () => {
        asked += 1
        return new Promise<readonly []>((resolve) => {
          answer = resolve
        })
      },
      note: () => Promise.resolve(),
      choose: () => Promise.resolve(),
    }
    const lookAt = createFolderLooks()
    await lookAt({ projects }, 1)
    await lookAt({ projects }, 2)
    expect(asked).toBe(1)
    answer([])
    await new Promise(setImmediate)
    const next = lookAt({ projects }, 2)
    expect(asked).toBe(2)
    answer([])
    await next
  })
})
