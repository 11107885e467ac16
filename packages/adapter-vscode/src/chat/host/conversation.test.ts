import { createEngine } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { createAgent } from '@cairn/core/agent'
import type { AgentTool } from '@cairn/core/agent'
import { createHasher } from '@cairn/core/node'
import { createLanguageModel } from '@cairn/core/providers'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
  startModelServer,
  type ModelServer,
  type Step,
} from '@cairn/core/testing'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { ChatItem, ChatState } from '../conversation/chat-state.ts'
import { EMPTY_CHAT } from '../conversation/chat-state.ts'
import { reduceAll } from '../conversation/reduce.ts'
import type { HostMessage } from '../messages.ts'
import { createConversation, type AgentInput, type Conversation, type ConversationDeps } from './conversation.ts'

/** Far longer than anything takes. */
const LIMIT_MS = 60_000
jest.setTimeout(2 * LIMIT_MS)

/** A tool that changes a file, and says how. */
const edits: string[] = []
const edit: AgentTool = {
  definition: { name: 'edit_file', description: 'Edits a file.', inputSchema: { type: 'object' } },
  prepare: async ({ path: given }) => {
    const path = typeof given === 'string' ? given : ''
    return {
      effect: 'files',
      title: `edit ${path}`,
      paths: [path],
      diff: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`,
      run: async () => {
        edits.push(path)
        return { content: [{ type: 'text', text: 'Edited.' }], changed: [path] }
      },
    }
  },
}

describe('a conversation', () => {
  let engine: Engine
  let server: ModelServer | undefined
  let conversation: Conversation
  let page: ChatState
  let told: HostMessage[]
  let shown: (string | undefined)[]
  let waiting: number[]

  const scripted = async (steps: readonly Step[]): Promise<void> => {
    server = await startModelServer()
    server.script(...steps)
  }
  const openAgent = async ({ sessionId, ...input }: AgentInput) =>
    createAgent({
      ...input,
      engine,
      languageModel: createLanguageModel({
        provider: 'anthropic',
        apiKey: 'test-key',
        baseUrl: server?.url ?? 'http://127.0.0.1:9',
      }),
      model: 'claude-sonnet-5',
      workspace: '/w',
      tools: [edit],
      learns: false,
      ...(sessionId === undefined ? {} : { session: sessionId }),
    })
  const create = (deps: Partial<ConversationDeps> = {}): Conversation =>
    createConversation({
      openAgent,
      contentOf: async (text) => ({ content: [{ type: 'text', text }], names: [], refused: [] }),
      session: (id) => engine.store.sessions.get(id),
      log: (id) => engine.sessions.log(id),
      onSession: (id) => shown.push(id),
      onWaiting: (count) => waiting.push(count),
      ...deps,
    })
  /** What a page shows that was told this. */
  const attach = (to: Conversation): void => {
    to.attach((message) => {
      told.push(message)
      if (message.type === 'state') page = message.state
      if (message.type === 'events') page = reduceAll(page, message.events)
    })
  }
  const until = async (holds: () => boolean): Promise<void> => {
    const deadline = Date.now() + LIMIT_MS
    while (!holds()) {
      if (Date.now() > deadline) throw new Error(`It never held: ${JSON.stringify(page)}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const waits = (): boolean => page.items.some((item) => item.kind === 'tool' && item.progress === 'waiting')
  const brief = (items: readonly ChatItem[]): readonly string[] =>
    items.map((item) => {
      if (item.kind === 'tool') return `${item.title}: ${item.progress} ${item.output}`
      return 'text' in item ? `${item.kind}: ${item.text}` : item.kind
    })

  beforeEach(() => {
    edits.length = 0
    told = []
    shown = []
    waiting = []
    page = EMPTY_CHAT
    const clock = createTestClock()
    engine = createEngine({
      store: createInMemoryStore(),
      clock,
      ids: createSequentialIds(),
      hasher: createHasher(),
      fileSystem: createInMemoryFileSystem({}),
    })
    conversation = create()
    attach(conversation)
  })
  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  const EDIT_THEN_DONE: readonly Step[] = [
    {
      reply: {
        blocks: [
          { type: 'text', text: 'I edit it.' },
          { type: 'tool-call', name: 'edit_file', input: { path: 'a.ts' } },
        ],
      },
    },
    { reply: { blocks: [{ type: 'text', text: 'Done **well**.' }] } },
  ]

  it('asks before it edits, shows the diff, and shows the page what it knows itself', async () => {
    await scripted(EDIT_THEN_DONE)
    const turn = conversation.send('Change a.ts')
    await until(waits)
    const asked = page.items.find((item) => item.kind === 'tool')
    expect(asked).toMatchObject({ title: 'edit a.ts', why: 'It changes files.', diff: expect.stringContaining('+b') })
    expect(edits).toEqual([])
    if (asked?.kind === 'tool') conversation.answer(asked.callId, { decision: 'allow' })
    await turn
    expect(edits).toEqual(['a.ts'])
    expect(brief(page.items)).toEqual([
      'user: Change a.ts',
      'reply: I edit it.',
      'edit a.ts: done Edited.',
      'reply: Done **well**.',
    ])
    expect(page).toEqual(conversation.state)
    expect(page).toMatchObject({
      isWorking: false,
      session: { title: 'Change a.ts' },
      cost: expect.stringMatching(/^\$/),
    })
    expect(page.context?.tokens).toBeGreaterThan(0)
    expect(waiting).toEqual([1, 0])
  })

  it('tells the model what the user says with a refusal', async () => {
    await scripted(EDIT_THEN_DONE)
    const turn = conversation.send('Change a.ts')
    await until(waits)
    const asked = page.items.find((item) => item.kind === 'tool')
    if (asked?.kind === 'tool') conversation.answer(asked.callId, { decision: 'deny', feedback: 'Change b.ts' })
    await turn
    expect(edits).toEqual([])
    expect(page.items.find((item) => item.kind === 'tool')).toMatchObject({ progress: 'skipped' })
    expect(JSON.stringify(server?.requests.at(-1))).toContain('Change b.ts')
  })

  it('asks once for what is always allowed, also in the next turn, but not in another session', async () => {
    await scripted([...EDIT_THEN_DONE, ...EDIT_THEN_DONE, ...EDIT_THEN_DONE])
    const first = conversation.send('one')
    await until(waits)
    const asked = page.items.find((item) => item.kind === 'tool')
    if (asked?.kind === 'tool') conversation.answer(asked.callId, { decision: 'always' })
    await first
    await conversation.send('two')
    expect(edits).toEqual(['a.ts', 'a.ts'])
    expect(conversation.clear()).toBe(true)
    const third = conversation.send('three')
    await until(waits)
    expect(edits).toHaveLength(2)
    conversation.cancel()
    await third
  })

  it('stops when it is cancelled, and goes on', async () => {
    await scripted(EDIT_THEN_DONE)
    const turn = conversation.send('Change a.ts')
    await until(waits)
    conversation.cancel()
    await turn
    expect(page.items.at(-1)).toMatchObject({ kind: 'notice', level: 'info', action: 'resume' })
    expect(page.isWorking).toBe(false)
    const again = conversation.resume()
    await until(waits)
    const asked = page.items.findLast((item) => item.kind === 'tool')
    if (asked?.kind === 'tool') conversation.answer(asked.callId, { decision: 'allow' })
    await again
    expect(edits).toEqual(['a.ts'])
    expect(brief(page.items).at(-1)).toBe('reply: Done **well**.')
  })

  it('shows a session of the log as it was held', async () => {
    await scripted(EDIT_THEN_DONE)
    const turn = conversation.send('Change a.ts')
    await until(waits)
    const asked = page.items.find((item) => item.kind === 'tool')
    if (asked?.kind === 'tool') conversation.answer(asked.callId, { decision: 'allow' })
    await turn
    const id = shown.at(-1) ?? ''
    const later = create()
    attach(later)
    expect(await later.open(id)).toBe(true)
    expect(brief(page.items)).toEqual([
      'user: Change a.ts',
      'reply: I edit it.',
      'edit_file a.ts: done Edited.',
      'reply: Done **well**.',
    ])
    expect(page).toMatchObject({ session: { id }, cost: conversation.state.cost })
    expect(await later.open('cairn:unknown')).toBe(false)
  })

  it('gives a message back that was not taken, and says why', async () => {
    conversation = create({
      openAgent: async () => {
        const { CairnError } = await import('@cairn/core')
        throw new CairnError('auth', 'There is no key for Anthropic.')
      },
    })
    attach(conversation)
    await conversation.send('hello')
    expect(told.find(({ type }) => type === 'restore')).toEqual({ type: 'restore', text: 'hello' })
    expect(page.items).toMatchObject([{ level: 'error', text: 'There is no key for Anthropic.', action: 'set-key' }])
    expect(page.isWorking).toBe(false)
  })

  it('takes one message at a time', async () => {
    await scripted(EDIT_THEN_DONE)
    const turn = conversation.send('Change a.ts')
    await conversation.send('and b.ts')
    expect(told.find(({ type }) => type === 'restore')).toEqual({ type: 'restore', text: 'and b.ts' })
    expect(conversation.clear()).toBe(false)
    await until(waits)
    conversation.cancel()
    await turn
  })

  it('runs an action between turns alone', async () => {
    await scripted(EDIT_THEN_DONE)
    expect(
      await conversation.whileIdle(async () => {
        await conversation.send('Meanwhile')
      }),
    ).toBe(true)
    expect(told.find(({ type }) => type === 'restore')).toEqual({ type: 'restore', text: 'Meanwhile' })
    const turn = conversation.send('Change a.ts')
    await until(waits)
    expect(await conversation.whileIdle(() => Promise.reject(new Error('run')))).toBe(false)
    conversation.cancel()
    await turn
    await expect(conversation.whileIdle(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await conversation.whileIdle(async () => undefined)).toBe(true)
  })

  it('tells a page that comes later all that it missed', async () => {
    await scripted(EDIT_THEN_DONE)
    const before = create()
    const turn = before.send('Change a.ts')
    await until(() => before.state.items.some((item) => item.kind === 'tool' && item.progress === 'waiting'))
    attach(before)
    expect(page).toEqual(before.state)
    before.cancel()
    await turn
    expect(page).toEqual(before.state)
  })
})
