import { describe, expect, it } from '@jest/globals'
import type { ContentBlock } from '../messages.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { entryView, entryViews } from './entry-view.ts'

describe('a compaction', () => {
  const shown = (facts: Partial<Extract<LogEntry, { kind: 'compaction' }>>) =>
    entryView({ kind: 'compaction', seq: 3, at: 5, trigger: 'auto', ...facts })

  it('tells how large the context was', () => {
    expect(shown({ tokensBefore: 237_823 })).toMatchObject({
      text: 'The context of 237,823 tokens was compacted (auto)',
    })
  })

  it('that only cleared old results tells what was cleared, and no size that requests contradict', () => {
    expect(shown({ partial: true, tokensBefore: 60_364, tokensCleared: 21_294, cleared: ['c1'] })).toMatchObject({
      text: 'About 21,294 tokens of old tool results were cleared from the context (auto)',
    })
    expect(shown({ partial: true, tokensBefore: 60_364 })).toMatchObject({
      text: 'Old tool results were cleared from the context (auto)',
    })
  })
})

describe('a notice of an agent’s program', () => {
  const shown = (text: string) => entryView({ kind: 'notice', seq: 3, at: 5, level: 'info', text })

  it('tells what its tags mean', () => {
    const command =
      '<command-name>/mcp</command-name>\n  <command-message>mcp</command-message>\n  <command-args></command-args>'
    expect(shown(command)).toMatchObject({ kind: 'marker', text: 'Command: /mcp' })
    expect(shown('<local-command-stdout>MCP dialog dismissed</local-command-stdout>')).toMatchObject({
      text: 'Output of a command: MCP dialog dismissed',
    })
  })

  it('is shown as it is without tags, and where there is nothing in them', () => {
    expect(shown('1 < 2, and <b> stays')).toMatchObject({ text: '1 < 2, and <b> stays' })
    expect(shown('<local-command-stdout></local-command-stdout>')).toMatchObject({
      text: '<local-command-stdout></local-command-stdout>',
    })
  })
})

describe('results of calls that have the same id', () => {
  const message = (seq: number, role: 'assistant' | 'tool', content: MessageEntry['content']): LogEntry => ({
    kind: 'message',
    seq,
    at: seq * 1_000,
    id: `m${seq}`,
    role,
    content,
  })
  const call = (name: string, input: string): ContentBlock => ({
    type: 'tool_call',
    id: 'REDACTED',
    name,
    input: { command: input },
  })
  const result = (text: string): ContentBlock => ({
    type: 'tool_result',
    callId: 'REDACTED',
    content: [{ type: 'text', text }],
  })

  // As in published transcripts of OpenCode, whose call ids are masked: all of them are the same word.
  it('stand under their own calls, in one message and over several, with the names of their tools', () => {
    const log = [
      message(0, 'assistant', [call('apply_patch', 'a'), call('bash', 'pnpm test'), call('bash', 'git status')]),
      message(1, 'tool', [result('Success. Updated'), result('1 failed'), result('M index.ts')]),
      message(2, 'assistant', [call('read', 'b')]),
      message(3, 'tool', [result('the file')]),
    ]
    const views = entryViews(log)
    const shown = views.flatMap((view) =>
      view.kind !== 'message'
        ? []
        : view.blocks.map((block) =>
            block.type === 'call' && block.output?.view.type === 'result'
              ? [block.name, block.output.view.name, block.output.view.text, block.output.seq, block.output.block]
              : block.type,
          ),
    )
    expect(shown).toEqual([
      ['apply_patch', 'apply_patch', 'Success. Updated', 1, 0],
      ['bash', 'bash', '1 failed', 1, 1],
      ['bash', 'bash', 'M index.ts', 1, 2],
      ['read', 'read', 'the file', 3, 0],
    ])
    expect([views[1], views[3]]).toEqual([
      { kind: 'hidden', seq: 1, shownIn: 0 },
      { kind: 'hidden', seq: 3, shownIn: 2 },
    ])
  })
})

describe('a pause', () => {
  const MINUTE = 60_000
  const message = (seq: number, minute: number | null): LogEntry => ({
    kind: 'message',
    seq,
    at: minute === null ? null : minute * MINUTE,
    id: `m${seq}`,
    role: seq % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: 'words' }],
  })

  it('is told at the message after it, from five minutes on', () => {
    const views = entryViews([message(0, 10), message(1, 14.9), message(2, 19.9), message(3, 143)])
    expect(views.map((view) => (view.kind === 'message' ? view.pauseMs : null))).toEqual([
      undefined,
      undefined,
      5 * MINUTE,
      123.1 * MINUTE,
    ])
  })

  it('is measured from the latest entry before it, and not where a time is missing', () => {
    const views = entryViews([message(0, 60), message(1, 20), message(2, 62), message(3, null), message(4, 90)])
    expect(views.map((view) => (view.kind === 'message' ? view.pauseMs : null))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      28 * MINUTE,
    ])
  })

  it('before the result of a call is told at the message after it, as the result is shown with its call', () => {
    const call: ContentBlock = { type: 'tool_call', id: 'c', name: 'bash', input: {} }
    const result: ContentBlock = { type: 'tool_result', callId: 'c', content: [] }
    const [asked, answered, reply] = [message(1, 10), message(2, 112), message(3, 113)] as const
    const log = [{ ...asked, content: [call] } as LogEntry, { ...answered, content: [result] } as LogEntry, reply]
    expect(entryViews(log).map((view) => (view.kind === 'message' ? view.pauseMs : view.kind))).toEqual([
      undefined,
      'hidden',
      102 * MINUTE,
    ])
  })
})
