import { describe, expect, it } from '@jest/globals'
import { entryView } from './entry-view.ts'

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
