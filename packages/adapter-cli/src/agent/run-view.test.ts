import { describe, expect, it } from '@jest/globals'
import type { SentRequest } from '@cairn/core'
import type { AgentEvent } from '@cairn/core/agent'
import { SILENT_TERMINAL } from '../testing/silent-terminal.ts'
import { createRunView } from './run-view.ts'

/** What is on the screen after these events. */
const shownOf = async (events: readonly AgentEvent[], model?: string): Promise<string> => {
  let shown = ''
  const add = async (text = ''): Promise<void> => void (shown += text)
  const view = createRunView(
    {
      ...SILENT_TERMINAL,
      isOutputTerminal: true,
      isErrorTerminal: true,
      write: add,
      line: (text = '') => add(`${text}\n`),
      note: (text) => void (shown += `${text}\n`),
    },
    { now: () => 0 },
  )
  if (model !== undefined) view.named(model)
  for (const event of events) await view.take(event)
  return shown
}

const stored: AgentEvent = {
  type: 'request',
  event: { type: 'stored', sessionId: 's', tokens: 10, availableTokens: 100, decisions: [] },
}
const saying = (text: string): AgentEvent => ({ type: 'request', event: { type: 'text', text } })
const replied = (text: string): AgentEvent => {
  const reply: SentRequest = {
    sessionId: 's',
    messageId: 'm',
    model: 'claude-sonnet-5',
    provider: 'anthropic',
    usage: { inputTokens: 1, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 1 },
    costNano: 5n,
    stopReason: 'end',
    providerReason: 'end_turn',
    content: [{ type: 'text', text }],
    toolCalls: [],
    decisions: [],
    isUsagePartial: false,
    costState: 'computed',
    attempt: 1,
    redactions: 0,
  }
  return { type: 'reply', reply, costNano: 5n }
}
const ended: AgentEvent = {
  type: 'ended',
  outcome: { end: 'done', sessionId: 's', text: 'The port is 2.', turns: 2, costNano: 12_500_000n },
}
const ran = (exitCode: number | null, durationMs: number): readonly AgentEvent[] => [
  {
    type: 'tool-started',
    callId: 'c',
    tool: 'run_command',
    call: { effect: 'command', title: 'run npm test', paths: [] },
  },
  {
    type: 'tool-finished',
    callId: 'c',
    tool: 'run_command',
    outcome: { content: [{ type: 'text', text: '3 failed' }], exitCode },
    durationMs,
  },
]

describe('what cairn run shows', () => {
  it('ends with the last words: not with what is said to the question what later sessions should know', async () => {
    const events = [stored, saying('The port is 2.'), replied('The port is 2.'), stored, saying('Nothing.')]
    expect(await shownOf([...events, replied('Nothing.'), ended], 'claude-sonnet-5')).toBe(
      'The port is 2.\nclaude-sonnet-5: 2 requests, $0.0125, context 10.0 % full.\n',
    )
  })

  it.each([
    [0, 20, '▸ run npm test\n'],
    [0, 2_000, '▸ run npm test\n  2.0 s\n'],
    [3, 20, '▸ run npm test\n  exit code 3\n'],
    [null, 5_000, '▸ run npm test\n  ended by a signal, 5.0 s\n'],
  ])('tells that a command failed: exit code %j after %d ms', async (exitCode, durationMs, shown) => {
    expect(await shownOf(ran(exitCode, durationMs))).toBe(shown)
  })

  it('names the rules that came with a result', async () => {
    const [started, finished] = ran(0, 20)
    if (started === undefined || finished?.type !== 'tool-finished') throw new Error('no call')
    expect(await shownOf([started, { ...finished, rules: ['packages/x/AGENTS.md', '.cursor/rules/ts.mdc'] }])).toBe(
      '▸ run npm test\n  rules of packages/x/AGENTS.md, .cursor/rules/ts.mdc\n',
    )
  })

  it.each([
    ['refused', '▸ run npm test\n  ✗ Not run: the user declined it.\n'],
    ['interrupted', ''],
  ] as const)('shows a call that was not run: %s', async (notRun, shown) => {
    const [started, finished] = ran(0, 0)
    if (started?.type !== 'tool-started' || finished?.type !== 'tool-finished') throw new Error('no call')
    const outcome = {
      content: [{ type: 'text' as const, text: 'Not run: the user declined it.' }],
      isError: true as const,
    }
    const call = { ...started.call, diff: '@@ -1 +1 @@\n-a\n+b' }
    expect(
      await shownOf([
        { ...started, call, notRun },
        { ...finished, outcome, notRun },
      ]),
    ).toBe(shown)
  })
})
