import { createInMemoryStore } from '@cairn/core/testing'
import type { NewLogEntry } from '@cairn/core'
import { createSessionFile } from './session-file.ts'
import type { SessionFile } from './session-file.ts'
import type { SessionText } from './session-reading.ts'
import { stepsBetween } from './session-steps.ts'
import { createToolArrivals } from './tool-arrivals.ts'

const facts = { id: 'pi:1', agent: 'pi', externalId: '1', workspace: '/code/shop', title: 'Long' }
const entries = (from: number, to: number): readonly { readonly entry: NewLogEntry }[] =>
  Array.from({ length: to - from }, (_, index) => ({
    entry: {
      kind: 'message',
      at: Date.UTC(2026, 0, 1),
      id: `m${from + index}`,
      role: 'user',
      content: [{ type: 'text', text: `number ${from + index}` }],
    },
  }))

const text = async (file: SessionFile): Promise<string> => new TextDecoder().decode(await file.content())

/** An editor that reads the file after each change, and keeps what it has read. */
const followed = async (
  messages: number,
): Promise<{
  readonly store: ReturnType<typeof createInMemoryStore>
  readonly file: SessionFile
  readonly texts: string[]
  readonly until: (done: (text: string) => boolean) => Promise<void>
}> => {
  const store = createInMemoryStore()
  await store.sessions.append(facts, 0, entries(0, messages))
  const texts: string[] = []
  let wake: () => void = () => undefined
  const take = async (): Promise<void> => {
    texts.push(await text(file))
    wake()
  }
  const file = createSessionFile({
    sessionId: 'pi:1',
    store: () => Promise.resolve(store),
    onChange: () => void take(),
  })
  const until = async (done: (text: string) => boolean): Promise<void> => {
    while (!done(texts.at(-1) ?? '')) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  await file.stat()
  await take()
  return { store, file, texts, until }
}

describe('a session as a file', () => {
  it('returns the beginning of a long session first, then all of it, which only adds to it', async () => {
    const { file, texts, until } = await followed(1_500)
    expect(texts[0]).toContain('number 100\n')
    expect(texts[0]).not.toContain('number 1000\n')
    await until((last) => last.includes('number 1499\n'))
    expect(texts).toHaveLength(2)
    expect(texts[1]?.startsWith(texts[0] ?? '?')).toBe(true)
    expect(file.shown()?.isWhole).toBe(true)
  })

  it('returns a short one whole', async () => {
    const { file, texts } = await followed(10)
    expect(texts[0]).toContain('number 9\n')
    expect(file.shown()?.isWhole).toBe(true)
  })

  it('adds new entries first, and changes the facts at the top after that', async () => {
    const { store, file, texts, until } = await followed(10)
    await file.follow()
    expect(texts).toHaveLength(1)
    await store.sessions.append(facts, 10, entries(10, 12))
    const before = await file.stat()
    await file.follow()
    await until((last) => last.includes('12 messages'))
    expect(texts).toHaveLength(3)
    expect(texts[1]?.startsWith(texts[0] ?? '?')).toBe(true)
    expect(texts[1]).toContain('number 11\n')
    expect(texts[1]).toContain('10 messages')
    // Else the editor would take it for unchanged.
    expect((await file.stat()).version).toBe(before.version + 2)
  })

  it('says why it can’t be shown', async () => {
    const broken = createSessionFile({
      sessionId: 'pi:1',
      store: () => Promise.reject(new Error('It is damaged.')),
      onChange: () => undefined,
    })
    expect(await text(broken)).toContain('It is damaged.')
    const gone = createSessionFile({
      sessionId: 'pi:1',
      store: () => Promise.resolve(undefined),
      onChange: () => undefined,
    })
    expect(await text(gone)).toContain('The store is gone')
  })
})

describe('a session whose store was gone', () => {
  /** The store of the window, which comes and goes. */
  const window = async (): Promise<{
    current: ReturnType<typeof createInMemoryStore> | undefined | Error
    readonly file: SessionFile
  }> => {
    const store = createInMemoryStore()
    await store.sessions.append(facts, 0, entries(0, 10))
    const state: { current: ReturnType<typeof createInMemoryStore> | undefined | Error } = { current: store }
    const file = createSessionFile({
      sessionId: 'pi:1',
      store: async () => (state.current instanceof Error ? Promise.reject(state.current) : state.current),
      onChange: () => undefined,
    })
    return Object.assign(state, { file })
  }

  it('is shown again when the same store is back', async () => {
    const state = await window()
    const before = await text(state.file)
    const store = state.current
    state.current = undefined
    await state.file.follow()
    expect(await text(state.file)).toContain('The store is gone')
    state.current = store
    const { version } = await state.file.stat()
    await state.file.follow()
    expect(await text(state.file)).toBe(before)
    expect((await state.file.stat()).version).toBe(version + 1)
  })

  it('is read from its beginning when there is another store', async () => {
    const state = await window()
    await state.file.content()
    state.current = undefined
    await state.file.follow()
    await state.file.content()
    const other = createInMemoryStore()
    await other.sessions.append(facts, 0, entries(500, 512))
    state.current = other
    await state.file.follow()
    const shown = await text(state.file)
    expect(shown).toContain('number 500\n')
    expect(shown).not.toContain('number 9\n')
  })

  it('stays as it is while a store can’t be opened, and is shown once it can', async () => {
    const state = await window()
    const store = state.current
    const before = await text(state.file)
    state.current = new Error('It is locked.')
    await state.file.follow()
    expect(await text(state.file)).toBe(before)

    const late = await window()
    late.current = new Error('It is locked.')
    expect(await text(late.file)).toContain('It is locked.')
    late.current = store
    await late.file.follow()
    expect(await text(late.file)).toBe(before)
  })
})

describe('the tools that arrive in a session', () => {
  const call = (id: string): { readonly entry: NewLogEntry } => ({
    entry: {
      kind: 'message',
      at: Date.UTC(2026, 0, 1),
      id,
      role: 'assistant',
      content: [{ type: 'tool_call', id: `call-${id}`, name: 'Read', input: { path: id } }],
    },
  })

  it('are those read since the last call, at their lines', async () => {
    const { store, file, texts, until } = await followed(2)
    await store.sessions.append(facts, 2, [call('a')])
    await file.follow()
    await until((last) => last.includes('3 messages'))
    expect(file.arrivedTools().map((line) => texts.at(-1)?.split('\n')[line]?.trim())).toEqual(['→ Read a'])
    expect(file.arrivedTools()).toEqual([])
    await store.sessions.append(facts, 3, [call('b'), call('c')])
    await file.follow()
    await until((last) => last.includes('5 messages'))
    expect(file.arrivedTools().map((line) => texts.at(-1)?.split('\n')[line]?.trim())).toEqual(['→ Read b', '→ Read c'])
  })

  it('are none of those in the first text', async () => {
    const store = createInMemoryStore()
    await store.sessions.append(facts, 0, [call('a')])
    const file = createSessionFile({ sessionId: 'pi:1', store: async () => store, onChange: () => undefined })
    expect(file.arrivedTools()).toEqual([])
    expect(await text(file)).toContain('→ Read a')
    expect(file.arrivedTools()).toEqual([])
  })

  it('are all of them when the text was replaced by another', () => {
    const shown = (body: string, ...from: readonly number[]): SessionText => ({
      header: '',
      body,
      folds: from.map((line) => ({ kind: 'tool', from: line, to: line + 1 })),
      landmarks: [],
      entries: [],
      isWhole: true,
    })
    const arrivals = createToolArrivals()
    expect(arrivals.take(shown('a\n', 3, 7))).toEqual([3, 7])
    expect(arrivals.take(shown('a\nb\n', 3, 7, 9))).toEqual([9])
    expect(arrivals.take(shown('gone\n'))).toEqual([])
    expect(arrivals.take(shown('a\nb\n', 3, 7, 9))).toEqual([3, 7, 9])
  })
})

describe('stepsBetween', () => {
  const shown = (header: string, body: string, from = 3): SessionText => ({
    header,
    body,
    folds: [{ kind: 'tool', from, to: from + 1 }],
    landmarks: [],
    entries: [],
    isWhole: true,
  })

  it('keeps folds at their lines in the step in between', () => {
    const [between, last] = stepsBetween(shown('a\n', 'x\n'), shown('a\nb\nc\n', 'x\ny\n', 5))
    expect(between).toMatchObject({ header: 'a\n', body: 'x\ny\n', folds: [{ from: 3, to: 4 }] })
    expect(last).toMatchObject({ header: 'a\nb\nc\n', folds: [{ from: 5, to: 6 }] })
  })

  it('is one step if only one end changes, or if the session begins again', () => {
    expect(stepsBetween(undefined, shown('a\n', 'x\n'))).toHaveLength(1)
    expect(stepsBetween(shown('a\n', 'x\n'), shown('a\n', 'x\ny\n'))).toHaveLength(1)
    expect(stepsBetween(shown('a\n', 'x\n'), shown('b\n', 'x\n'))).toHaveLength(1)
    expect(stepsBetween(shown('a\n', 'x\n'), shown('b\n', 'other\n'))).toHaveLength(1)
  })
})
