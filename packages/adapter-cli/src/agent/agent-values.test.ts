import { describe, expect, it } from '@jest/globals'
import { CairnError } from '@cairn/core'
import { readRule } from './approval-rule.ts'
import { Interrupted } from '../runtime/failure.ts'
import { SILENT_TERMINAL } from '../testing/silent-terminal.ts'
import { answerOf, approverOn } from './ask-approval.ts'
import { eventJson } from './event-json.ts'

describe('what a user says of a call', () => {
  it.each([
    ['y', { decision: 'allow' }],
    [' Yes ', { decision: 'allow' }],
    ['a', { decision: 'always' }],
    ['', { decision: 'deny' }],
    [undefined, { decision: 'deny' }],
    ['n', { decision: 'deny' }],
    ['yes, but in b.ts', { decision: 'deny', feedback: 'yes, but in b.ts' }],
  ])('%j is %j', (text, answer) => {
    expect(answerOf(text)).toEqual(answer)
  })

  it('Ctrl-C at the question ends the turn, which then says what became of it', async () => {
    let cancelled = 0
    const terminal = { ...SILENT_TERMINAL, canAsk: true, ask: () => Promise.reject(new Interrupted('Stopped.')) }
    const approve = approverOn(terminal, { pause: () => undefined }, { now: () => (cancelled += 1) })
    const call = { effect: 'command' as const, title: 'run x', paths: [], run: () => Promise.reject(new Error('run')) }
    const request = { callId: 'c', tool: 't', call, why: 'It runs a command.' }
    await expect(approve?.(request, new AbortController().signal)).rejects.toThrow('Stopped.')
    expect(cancelled).toBe(1)
  })

  it.each([
    ['allow command npm test', { decision: 'allow', command: 'npm test' }],
    [' deny path src/gen/** ', { decision: 'deny', path: 'src/gen/**' }],
    ['ask tool write_file', { decision: 'ask', tool: 'write_file' }],
  ])('the rule %j', (text, rule) => {
    expect(readRule(text)).toEqual(rule)
  })

  it.each(['', 'allow', 'allow command ', 'permit command x', 'allow npm test'])('no rule: %j', (text) => {
    expect(() => readRule(text)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})

describe('an event as JSON', () => {
  it('is safe to print, has amounts in USD and no data of images', () => {
    const outcome = {
      content: [
        { type: 'text' as const, text: 'a\u001b[2J\u202eb\nc' },
        { type: 'image' as const, mediaType: 'image/png', data: 'A'.repeat(1000) },
      ],
    }
    const document = eventJson({ type: 'tool-finished', callId: 'c', tool: 't', outcome, durationMs: 5 })
    expect(document).toEqual({
      type: 'tool-finished',
      callId: 'c',
      tool: 't',
      text: 'a␛[2J\ufffdb\nc\n[image/png]',
      isError: false,
      changed: [],
      durationMs: 5,
    })
    const failed = { content: [{ type: 'text' as const, text: '1 failed' }], exitCode: 1 }
    expect(
      eventJson({ type: 'tool-finished', callId: 'c', tool: 'run_command', outcome: failed, durationMs: 5 }),
    ).toMatchObject({ text: '1 failed', isError: false, exitCode: 1 })
    const error = new CairnError('quota', 'No money is left.')
    const ended = {
      end: 'failed' as const,
      reason: 'r',
      sessionId: 's',
      text: '',
      turns: 2,
      costNano: 1_500_000n,
      error,
    }
    expect(eventJson({ type: 'ended', outcome: ended })).toMatchObject({
      costUsd: 0.0015,
      error: { code: 'quota', message: 'No money is left.' },
    })
  })
})
