import { describe, expect, it } from '@jest/globals'
import type { LogEntry } from '../session-log.ts'
import { entryView } from './entry-view.ts'

describe('a compaction', () => {
  const shown = (facts: Partial<Extract<LogEntry, { kind: 'compaction' }>>) =>
    entryView({ kind: 'compaction', seq: 3, at: 5, trigger: 'auto', ...facts }, new Map())

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
  const shown = (text: string) => entryView({ kind: 'notice', seq: 3, at: 5, level: 'info', text }, new Map())

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
