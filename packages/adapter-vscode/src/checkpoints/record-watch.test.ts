import { createTestProject } from './project.fixture.ts'
import { createRecordWatch } from './record-watch.ts'

describe('the watch of checkpoints', () => {
  it('calls back once for each change of what there is, and not for other changes of the store', async () => {
    const project = createTestProject()
    try {
      let changes = 0
      const watch = createRecordWatch({
        engine: async () => project.engine,
        roots: () => [project.root],
        onChange: () => (changes += 1),
      })
      await watch.look()
      expect(changes).toBe(1)
      await project.edited('a.ts', 'codex:one')
      await watch.look()
      expect(changes).toBe(1)
      project.write({ 'a.ts': '1' })
      const { id } = await project.checkpoint('one')
      await Promise.all([watch.look(), watch.look(), watch.look()])
      expect(changes).toBe(2)
      await project.engine.store.checkpoints.delete(id)
      await watch.look()
      expect(changes).toBe(3)
    } finally {
      project.close()
    }
  }, 60_000)

  it('calls back when the store fails, as the view then says why, and looks again later', async () => {
    let changes = 0
    let works = false
    const watch = createRecordWatch({
      engine: async () => (works ? undefined : Promise.reject(new Error('no store'))),
      roots: () => [],
      onChange: () => (changes += 1),
    })
    await watch.look()
    works = true
    await watch.look()
    await watch.look()
    expect(changes).toBe(2)
  })
})
