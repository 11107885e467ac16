import { describe, expect, it } from '@jest/globals'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { RequestRange, StoredRequest } from '../ports/usage-storage.ts'
import { createInMemoryStore } from '../testing/index.ts'
import { conversation, type Step } from './conversation.fixture.ts'
import { sessionRequests } from './session-requests.ts'

const ID = 'test:s'
const facts = { id: ID, agent: 'test', externalId: 's' }

const reply = (read: number, more: Partial<Step> = {}): Step => ({
  usage: { cacheReadTokens: read, outputTokens: 1 + (read % 11) },
  says: 'ok',
  ...more,
})
const replies = (count: number, more: Partial<Step> = {}): readonly Step[] =>
  Array.from({ length: count }, (_, index) => reply(1_000 + index * 37, more))

/** Another line of a transcript that tells of one of 400 requests, with more output. */
const again = (index: number): readonly EntryWrite[] => {
  const told = conversation('s', replies(400))[index]
  const [line] = conversation('again', [{ says: 'more' }])
  if (told?.request === undefined || line === undefined) throw new Error('it has a request')
  return [{ ...line, request: { ...told.request, outputTokens: 90_000, costNano: 4_567_891n } }]
}

/** A store with a session of these steps, and what was asked of it since. */
const setup = async (steps: readonly Step[]) => {
  const store = createInMemoryStore()
  await store.sessions.append(facts, 0, conversation('s', steps))
  const asked: (RequestRange | undefined)[] = []
  const usage = {
    requests: (id: string, range?: RequestRange) => {
      asked.push(range)
      return store.usage.requests(id, range)
    },
  }
  const requests = async (before?: readonly StoredRequest[]) => {
    const session = await store.sessions.get(ID)
    if (session === undefined) throw new Error('it is there')
    const found = await sessionRequests(usage, session, before)
    expect(found).toEqual(await store.usage.requests(ID))
    return found
  }
  return { store, asked, requests }
}

describe('the requests of a session that goes on', () => {
  it('are read from the end on, where the session is long', async () => {
    const { store, asked, requests } = await setup(replies(400))
    const before = await requests()
    await store.sessions.append(facts, 'end', conversation('t', replies(3, { after: 500 })))
    await requests(before)
    expect(asked).toEqual([undefined, { last: 53 }])
  })

  it('are read as a whole, where the session is short or lost some', async () => {
    const { store, asked, requests } = await setup(replies(20))
    const before = await requests()
    await store.sessions.append(facts, 'end', conversation('t', replies(1, { after: 500 })))
    await requests(before)
    const longer = [...before, ...before, ...before].flatMap((each) => Array.from({ length: 10 }, () => each))
    await requests(longer)
    expect(asked).toEqual([undefined, undefined, undefined])
  })

  it('are read as a whole when one came that was made earlier', async () => {
    const { store, asked, requests } = await setup(replies(400))
    const before = await requests()
    await store.sessions.append(facts, 'end', conversation('late', [reply(77_000, { after: 90.5 })]))
    const found = await requests(before)
    expect(found).toHaveLength(401)
    expect(asked).toEqual([undefined, { last: 51 }, undefined])
  })

  it('are read as a whole when an earlier one has changed', async () => {
    const { store, asked, requests } = await setup(replies(400))
    const before = await requests()
    await store.sessions.append(facts, 'end', again(0))
    await requests(before)
    expect(asked.at(-1)).toBeUndefined()
  })

  it('have the end of a reply that was still under way', async () => {
    const { store, asked, requests } = await setup(replies(400))
    const before = await requests()
    await store.sessions.append(facts, 'end', again(399))
    expect((await requests(before)).at(-1)?.outputTokens).toBe(90_000)
    expect(asked.at(-1)).toEqual({ last: 50 })
  })
})
