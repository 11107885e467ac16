import { describe, expect, it } from '@jest/globals'
import { modelFacts } from '../models/model-facts.ts'
import type { Store } from '../ports/store.ts'
import type { StoredRequest } from '../ports/usage-storage.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { createInMemoryStore } from '../testing/index.ts'
import { keepCount } from './kept-counts.ts'
import { learnedRatio, ratioOfSession } from './learned-ratio.ts'
import { storedRequest } from './stored-request.fixture.ts'

const MODEL = 'claude-sonnet-4-5'
const facts = modelFacts(MODEL)
const RATIO = 3.5
const PREFIX = 18_000
const FRAME = 4

interface Session {
  readonly entries: readonly LogEntry[]
  readonly requests: readonly StoredRequest[]
}

/** A conversation whose provider counts `RATIO` characters a token, four for each message, and a prefix of its own. */
const conversation = (turns: number, between: (turn: number) => readonly NewLogEntry[] = () => []): Session => {
  const entries: NewLogEntry[] = []
  const requests: StoredRequest[] = []
  let tokens = PREFIX
  const say = (role: 'user' | 'assistant', characters: number, at: number): void => {
    entries.push({
      kind: 'message',
      id: `m${entries.length}`,
      at,
      role,
      content: [{ type: 'text', text: 'x'.repeat(characters) }],
    })
    tokens += characters / RATIO + FRAME
  }
  for (let turn = 0; turn < turns; turn++) {
    say('user', 21_000 + turn * 70, turn * 1000)
    requests.push(storedRequest(turn * 1000 + 500, Math.round(tokens)))
    say('assistant', 700, turn * 1000 + 500)
    entries.push(...between(turn))
  }
  return { entries: entries.map((entry, seq) => ({ ...entry, seq })), requests }
}

describe('the ratio learned from requests', () => {
  it("converges to the provider's ratio, whatever the size of system prompt and tools", () => {
    const { entries, requests } = conversation(30)
    const { charsPerToken, observations } = learnedRatio(entries, requests, facts)
    expect(observations).toBe(29)
    expect(charsPerToken).toBeCloseTo(RATIO, 2)
  })

  it("is the model's default without evidence: one request, another model, a subagent", () => {
    const { entries, requests } = conversation(1)
    const usual = { charsPerToken: facts.charsPerToken, observations: 0 }
    expect(learnedRatio(entries, requests, facts)).toEqual(usual)
    const more = conversation(5)
    const others = more.requests.map((made) => ({ ...made, model: 'gpt-5' }))
    expect(learnedRatio(more.entries, others, facts)).toEqual(usual)
    const subagents = more.requests.map((made) => ({ ...made, subagent: 'helper' }))
    expect(learnedRatio(more.entries, subagents, facts)).toEqual(usual)
  })

  it('does not learn from two requests with a change of the view between them', () => {
    const { entries, requests } = conversation(6, (turn) => [
      { kind: 'compaction', trigger: 'auto', at: turn * 1000 + 600 },
    ])
    expect(learnedRatio(entries, requests, facts).observations).toBe(0)
    const once = conversation(6, (turn) => (turn === 2 ? [{ kind: 'compaction', trigger: 'auto', at: 2600 }] : []))
    expect(learnedRatio(once.entries, once.requests, facts).observations).toBe(4)
  })

  it('does not learn from reasoning whose text was not recorded', () => {
    const { entries, requests } = conversation(6)
    const hidden = entries.map((entry) =>
      entry.kind === 'message' && entry.role === 'assistant'
        ? { ...entry, content: [{ type: 'thinking' as const, text: '' }, ...entry.content] }
        : entry,
    )
    expect(learnedRatio(hidden, requests, facts).observations).toBe(0)
  })
})

describe('the ratio of a session', () => {
  const storeWith = async (sessions: Readonly<Record<string, Session>>) => {
    const store = createInMemoryStore()
    for (const [id, { entries, requests }] of Object.entries(sessions)) {
      const [first, ...others] = requests.map(
        ({ at, model, inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, ...made }, index) => ({
          at,
          model,
          inputTokens,
          cacheReadTokens,
          cacheWrite5mTokens,
          cacheWrite1hTokens,
          outputTokens: made.outputTokens,
          costState: made.costState,
          callId: `${id}-${index}`,
          costNano: null,
        }),
      )
      const replies = entries.filter((entry) => entry.kind === 'message' && entry.role === 'assistant')
      const ofReply = new Map(replies.map(({ seq }, index) => [seq, [first, ...others][index]]))
      await store.sessions.append(
        { id, agent: 'cairn', externalId: id },
        0,
        entries.map(({ seq, ...entry }) => {
          const request = ofReply.get(seq)
          return { entry, ...(request === undefined ? {} : { request }) }
        }),
      )
    }
    return store
  }
  const ratio = async (
    sessions: Readonly<Record<string, Session>>,
    sessionId: string,
    at?: number,
    prepare: (store: Store) => Promise<unknown> = async () => undefined,
  ) => {
    const store = await storeWith(sessions)
    await prepare(store)
    const [entries, requests] = await Promise.all([store.sessions.read(sessionId), store.usage.requests(sessionId)])
    return ratioOfSession(store, { sessionId, entries, requests, facts, at })
  }

  it('is learned from its own requests where there are enough', async () => {
    const own = await ratio({ own: conversation(12), other: conversation(2) }, 'own')
    expect(own).toMatchObject({ from: 'session', observations: 11 })
    expect(own.charsPerToken).toBeGreaterThan(facts.charsPerToken + 0.5)
  })

  it('is that of the newest other session with the model where its own requests are too few', async () => {
    expect(await ratio({ own: conversation(1), other: conversation(12) }, 'own')).toMatchObject({
      from: 'other-session',
      observations: 11,
    })
    expect(await ratio({ own: conversation(1) }, 'own')).toEqual({
      from: 'model',
      observations: 0,
      charsPerToken: facts.charsPerToken,
    })
  })

  it('ignores requests after the time asked for', async () => {
    expect(await ratio({ own: conversation(12), other: conversation(12) }, 'own', 400)).toMatchObject({ from: 'model' })
  })

  /** A count of a session at a time, of so many characters a token. */
  const counted =
    (sessionId: string, at: number, seen: number) =>
    (store: Store): Promise<boolean> =>
      keepCount(
        store.state,
        { sessionId, at, usual: facts.charsPerToken },
        { model: MODEL, characters: seen * 50_000, promptTokens: 50_100, attachmentTokens: 100 },
      )

  it('is exactly what the newest count shows where no requests came after it', async () => {
    expect(await ratio({ own: conversation(12) }, 'own', undefined, counted('own', 20_000, 4.4))).toMatchObject({
      from: 'counter',
      charsPerToken: 4.4,
    })
  })

  it('goes on from a count with the requests after it', async () => {
    const { charsPerToken, from, observations } = await ratio(
      { own: conversation(12) },
      'own',
      undefined,
      counted('own', 6100, 4.4),
    )
    expect({ from, observations }).toEqual({ from: 'session', observations: 5 })
    expect(charsPerToken).toBeCloseTo(RATIO + (4.4 - RATIO) * 0.8 ** 5, 1)
  })

  it('moves a fifth of the way for sessions that were not counted, and learns from there', async () => {
    const count = counted('gone', 20_000, 4.4)
    expect(await ratio({ own: conversation(1) }, 'own', undefined, count)).toMatchObject({
      from: 'counter',
      charsPerToken: facts.charsPerToken + (4.4 - facts.charsPerToken) / 5,
    })
    expect(await ratio({ own: conversation(12) }, 'own', undefined, count)).toMatchObject({ from: 'session' })
  })

  it('ignores counts of another model, later ones, and what is damaged', async () => {
    const usual = { from: 'model', charsPerToken: facts.charsPerToken }
    const other = (store: Store): Promise<boolean> =>
      keepCount(
        store.state,
        { sessionId: 'own', at: 1, usual: 2.5 },
        { model: 'gpt-5', characters: 4000, promptTokens: 1000 },
      )
    expect(await ratio({ own: conversation(1) }, 'own', undefined, other)).toMatchObject(usual)
    const later = await ratio({ own: conversation(12) }, 'own', 5000, counted('own', 6100, 4.9))
    expect(later.charsPerToken).toBeLessThan(RATIO)
    const damaged = async (store: Store): Promise<void> => {
      const count = { model: MODEL, at: 5, characters: 'many', promptTokens: null }
      await store.state.set({ tier: 'session', sessionId: 'own' }, new Map([['tokens.count', count]]))
      await store.state.set({ tier: 'global' }, new Map([[`tokens.ratio/${MODEL}`, 'four']]))
    }
    expect(await ratio({ own: conversation(1) }, 'own', undefined, damaged)).toMatchObject(usual)
  })

  it('learns nothing from a count that no text can have', async () => {
    const implausible = async (store: Store): Promise<void> => expect(await counted('own', 1, 90)(store)).toBe(false)
    expect(await ratio({ own: conversation(1) }, 'own', undefined, implausible)).toMatchObject({ from: 'model' })
  })
})
