import { createChangeWatch } from './change-watch.ts'

/** A watch of a text that can be set; undefined: it can't be read. */
const watchOf = (text: string | undefined) => {
  const state = { text, reads: 0, changes: 0 }
  const watch = createChangeWatch({
    read: async () => {
      state.reads += 1
      if (state.text === undefined) throw new Error('no store')
      return state.text
    },
    onChange: () => (state.changes += 1),
  })
  return { state, watch }
}

describe('the watch of what a view stands on', () => {
  it('calls back at the first look, and then only when it is something else', async () => {
    const { state, watch } = watchOf('one')
    await watch.look()
    await watch.look()
    expect(state.changes).toBe(1)
    state.text = 'two'
    await watch.look()
    await watch.look()
    expect(state.changes).toBe(2)
  })

  it('reads once more after calls that come while it reads, however many', async () => {
    const { state, watch } = watchOf('one')
    await Promise.all([watch.look(), watch.look(), watch.look(), watch.look()])
    expect(state).toMatchObject({ reads: 2, changes: 1 })
  })

  it('calls back when it can not be read, as the view then says why, and when it can again', async () => {
    const { state, watch } = watchOf(undefined)
    await watch.look()
    expect(state.changes).toBe(1)
    state.text = 'one'
    await watch.look()
    await watch.look()
    expect(state.changes).toBe(2)
  })
})
