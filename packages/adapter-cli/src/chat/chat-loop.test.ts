import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Engine } from '@cairn/core'
import type { AgentEvent } from '@cairn/core/agent'
import { createApprover } from './approval.ts'
import { createChatLoop, type TurnOutcome } from './chat-loop.ts'
import { openChatSession } from './chat-session.ts'
import type { Typed } from './input/chat-input.ts'
import {
  contextOver,
  emptyEngine,
  heardTerminal,
  preparedCall,
  scriptedAgents,
  typedInput,
  type ScriptedTurn,
} from './scripted-agent.fixture.ts'
import { SLASH_COMMANDS } from './slash/registry.ts'
import { createTurnView } from './turn-view.ts'

let engine: Engine
beforeEach(() => {
  engine = emptyEngine()
})
afterEach(() => engine.close())

interface Conversation {
  readonly typed: readonly (string | Typed)[]
  readonly turns?: readonly ScriptedTurn[]
  readonly answers?: readonly string[]
  readonly first?: string
  readonly width?: number
  readonly isPlain?: boolean
  readonly isPiped?: boolean
  /** So often Ctrl-C is pressed in the first turn. */
  readonly presses?: number
}

/** A whole conversation, and all that is seen of it. */
const converse = async ({
  typed,
  turns = [],
  answers = [],
  first,
  width = 80,
  isPlain = false,
  isPiped = false,
  presses = 0,
}: Conversation) => {
  const { terminal, text } = heardTerminal(width)
  let interrupt: () => void = () => undefined
  const agents = scriptedAgents(turns, (turn) => {
    for (let count = 0; turn === 1 && count < presses; count += 1) interrupt()
  })
  const input = typedInput(typed, answers)
  const view = createTurnView(terminal, { isPlain, isPiped, now: () => 0 })
  const approve = createApprover({ terminal, isPlain, ask: (question, signal) => input.ask(question, signal) })
  const session = await openChatSession(
    {
      engine,
      makeAgent: agents.makeAgent,
      onEvent: (event) => view.take(event),
      ...(isPiped ? {} : { approve }),
    },
    {},
  )
  const ended: TurnOutcome[] = []
  const chat = {
    engine,
    context: contextOver(engine, terminal, '/code/app'),
    options: {},
    workspace: '/code/app',
    session,
    isPlain,
  }
  const loop = createChatLoop({
    chat,
    input,
    view,
    commands: SLASH_COMMANDS,
    isPiped,
    onTurn: async (turn) => void ended.push(turn),
  })
  interrupt = () => loop.interrupt()
  const exitCode = await loop.run(first)
  return { text: text(), made: agents.made, exitCode, session, ended, questions: input.questions }
}

const says = (...pieces: readonly string[]): readonly AgentEvent[] => [
  {
    type: 'request',
    event: { type: 'stored', sessionId: 's', tokens: 32_000, availableTokens: 128_000, decisions: [] },
  },
  ...pieces.map((text): AgentEvent => ({ type: 'request', event: { type: 'text', text } })),
  { type: 'request', event: { type: 'block', block: { type: 'text', text: pieces.join('') } } },
]
const runs = (title: string, text: string, isError = false): readonly AgentEvent[] => [
  { type: 'tool-started', callId: title, tool: 'read_file', call: preparedCall({ title }) },
  {
    type: 'tool-finished',
    callId: title,
    tool: 'read_file',
    durationMs: 1_400,
    outcome: { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) },
  },
]

describe('a conversation', () => {
  it('shows words, tools and the status of each turn, in order', async () => {
    const { text, exitCode } = await converse({
      typed: ['Look at it.'],
      turns: [
        {
          events: [
            ...says('I read ', '**a** first.'),
            ...runs('read src/a.ts', 'one\ntwo\n'),
            ...runs('read b', 'There is no file b.', true),
            ...says('Done.'),
          ],
        },
      ],
    })
    expect(exitCode).toBe(0)
    expect(text).toBe(
      [
        '',
        'I read a first.',
        '✓ read src/a.ts · 2 lines · 1.4 s',
        '✗ read b · There is no file b. · 1.4 s',
        '',
        'Done.',
        'act · claude-sonnet-5 · $0.0123, session $0.00 · ▰▰▱▱▱▱▱▱ 25 %',
        '',
        '',
      ].join('\n'),
    )
  })

  it('says all of it in words for a screen reader', async () => {
    const { text } = await converse({
      typed: ['Look at it.'],
      isPlain: true,
      turns: [
        {
          events: [
            ...runs('read src/a.ts', 'one\ntwo\n'),
            { type: 'notice', text: 'b.ts was changed by others.' },
            ...says('Done.'),
          ],
        },
      ],
    })
    expect(text).toBe(
      [
        'Tool: read src/a.ts.',
        'Done: read src/a.ts. 2 lines, 1.4 s.',
        'Note: b.ts was changed by others.',
        '',
        'Done.',
        'Mode act, model claude-sonnet-5. This turn cost $0.0123, the session $0.00. The',
        'context is 25 percent full.',
        '',
      ].join('\n'),
    )
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(text).not.toMatch(/[\u001b\r]/)
  })

  it('keeps every line within 40 columns', async () => {
    const { text } = await converse({
      typed: ['Look at it.', '/help', '/session', '/mode plan'],
      width: 40,
      turns: [
        {
          events: [
            ...says('A long sentence about a `function` that has to be broken, 日本語も.'),
            ...runs(`edit ${'deep/'.repeat(20)}file.ts`, 'no '.repeat(60), true),
            { type: 'notice', text: 'A notice that is longer than the line is wide.' },
          ],
        },
      ],
    })
    expect(text.split('\n').filter((line) => line.length > 40)).toEqual([])
  })

  it('goes on with the same session, in other modes and with other models', async () => {
    const { made, text, session } = await converse({
      first: 'one',
      typed: ['/mode plan', 'two', '/model claude-haiku-4-5', 'three', '/session new', 'four', '  ', '/model none'],
    })
    // What is always allowed is so until another session begins.
    const [first, ...others] = made.map(({ setting }) => setting.granted)
    expect(first).toBeInstanceOf(Set)
    expect(others.map((granted) => granted === first)).toEqual([true, true, false])
    expect(made.map(({ message, setting }) => [message, setting.session, setting.mode, setting.choice?.model])).toEqual(
      [
        ['one', undefined, undefined, undefined],
        ['two', 'cairn:scripted-1', 'plan', undefined],
        ['three', 'cairn:scripted-1', 'plan', 'claude-haiku-4-5'],
        ['four', undefined, 'plan', 'claude-haiku-4-5'],
      ],
    )
    expect(session.id).toBe('cairn:scripted-4')
    expect(text).toContain("There is no model 'none' in the price list.")
  })

  it('keeps what is always allowed where another session can’t be opened', async () => {
    const settings: (ReadonlySet<string> | undefined)[] = []
    const { makeAgent } = scriptedAgents([])
    let isGone = false
    const session = await openChatSession(
      {
        engine,
        makeAgent: (setting) => {
          settings.push(setting.granted)
          return isGone ? Promise.reject(new Error('the session is gone')) : makeAgent(setting)
        },
        onEvent: () => Promise.resolve(),
      },
      {},
    )
    isGone = true
    await expect(session.open('cairn:gone')).rejects.toThrow('the session is gone')
    isGone = false
    await session.setMode('plan')
    expect(settings.map((granted) => granted === settings[0])).toEqual([true, false, true])
  })

  it('asks about a call on a line of its own, and gives the answer on', async () => {
    const asks = preparedCall({ effect: 'files', title: 'edit src/a.ts', diff: '@@ -1 +1 @@\n-a\n+b' })
    const { text, questions } = await converse({ typed: ['Do it.'], turns: [{ asks }], answers: ['n wrong file'] })
    expect(questions.length).toBe(1)
    expect(text).toContain('? edit src/a.ts\n  It changes a file.\n  @@ -1 +1 @@\n  -a\n  +b\n  not allowed\n')
  })

  it.each([
    [
      'refused',
      '✗ edit src/a.ts · Not run: the user declined it.\n',
      'Failed: edit src/a.ts. Not run: the user declined it.',
    ],
    ['interrupted', '', ''],
  ] as const)('shows once, on one line, a call that was not run: %s', async (notRun, line, plain) => {
    const call = preparedCall({ effect: 'files', title: 'edit src/a.ts', diff: '@@ -1 +1 @@\n-a\n+b' })
    const outcome = { content: [{ type: 'text', text: 'Not run: the user declined it.' }], isError: true } as const
    const events: readonly AgentEvent[] = [
      { type: 'tool-started', callId: 'c', tool: 'edit_file', call, notRun },
      { type: 'tool-finished', callId: 'c', tool: 'edit_file', outcome, durationMs: 0, notRun },
    ]
    const shown = await converse({ typed: ['Do it.'], turns: [{ events }] })
    expect(shown.text.split('act ·')[0]).toBe(line)
    const inWords = await converse({ typed: ['Do it.'], turns: [{ events }], isPlain: true })
    expect(inWords.text.split('Mode act')[0]?.trim()).toBe(plain)
  })

  it('ends a turn at Ctrl-C, says what stays, and goes on', async () => {
    const change: AgentEvent = {
      type: 'tool-finished',
      callId: 'c',
      tool: 'edit_file',
      durationMs: 1,
      outcome: { content: [], changed: ['a.ts', 'b.ts'] },
    }
    const { text, made, exitCode } = await converse({
      typed: ['Work.', 'Go on.'],
      turns: [{ events: [change], isEndless: true }, {}],
      presses: 1,
    })
    expect(text).toContain('Stopped. What was done stays. 2 files changed; /undo gives back what was there\nbefore.')
    expect([made.length, exitCode]).toEqual([2, 0])
  })

  it('is left at the second Ctrl-C, also at the prompt', async () => {
    const inTurn = await converse({ typed: ['Work.', 'Never said.'], turns: [{ isEndless: true }], presses: 2 })
    expect([inTurn.made.length, inTurn.exitCode]).toEqual([1, 130])
    const interrupt = { kind: 'interrupt' } as const
    const atPrompt = await converse({ typed: [interrupt, interrupt, 'Never said.'] })
    expect([atPrompt.made.length, atPrompt.exitCode]).toEqual([0, 130])
    expect(atPrompt.text).toContain('Ctrl-C again within 2 seconds leaves')
  })

  it('in a pipe writes whole replies, asks nobody, and tells by its exit code how turns ended', async () => {
    const reply = {
      content: [{ type: 'text', text: 'It is **four**.\u001b[2J' }],
      toolCalls: [],
      stopReason: 'end',
    } as const
    const { text, exitCode, ended } = await converse({
      typed: ['Two and two?', 'Write it.'],
      isPiped: true,
      turns: [
        { events: [...says('It is '), { type: 'reply', reply: reply as never, costNano: 1n }] },
        { asks: preparedCall({ effect: 'files', title: 'write a.txt' }) },
      ],
    })
    expect(text).toBe('It is **four**.␛[2J\nwrite a.txt needs an approval, and nobody can be asked.\n')
    expect(exitCode).toBe(3)
    expect(ended.map(({ outcome }) => outcome.end)).toEqual(['done', 'approval'])
  })

  it('says in one sentence why a turn failed, and goes on', async () => {
    const { text, made } = await converse({
      typed: ['one', 'two'],
      turns: [{ outcome: { end: 'failed', reason: 'There is no key for Anthropic.' } }],
    })
    expect(text).toContain('There is no key for Anthropic.\n')
    expect(made.length).toBe(2)
  })

  it('leaves at /exit', async () => {
    expect((await converse({ typed: ['/exit', 'Never said.'] })).made).toEqual([])
  })
})
