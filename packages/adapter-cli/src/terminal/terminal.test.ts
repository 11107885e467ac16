import { describe, expect, it } from '@jest/globals'
import { createTerminal } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const terminalWith = (
  stream: { readonly isTTY: boolean; readonly columns?: number },
  variables: Readonly<Record<string, string>> = {},
  colours = true,
): Terminal => {
  const output = { write: () => true, on: () => undefined, ...stream } as unknown as NodeJS.WriteStream
  return createTerminal({ input: process.stdin, output, error: output, variables }, colours)
}

const isColoured = (terminal: Terminal): boolean => terminal.style('bold', 'x') !== 'x'

describe('terminal', () => {
  it('prints colours only on terminals, and not when they are switched off', () => {
    const tty = { isTTY: true, columns: 120 }
    expect(isColoured(terminalWith(tty))).toBe(true)
    expect(isColoured(terminalWith({ isTTY: false }))).toBe(false)
    expect(isColoured(terminalWith(tty, { NO_COLOR: '1' }))).toBe(false)
    expect(isColoured(terminalWith(tty, {}, false))).toBe(false)
    expect(isColoured(terminalWith(tty, { TERM: 'dumb' }))).toBe(false)
    expect(isColoured(terminalWith({ isTTY: false }, { FORCE_COLOR: '1' }))).toBe(true)
  })

  it('is 80 columns wide in a pipe, and has a minimum width', () => {
    expect(terminalWith({ isTTY: false }).width).toBe(80)
    expect(terminalWith({ isTTY: true, columns: 132 }).width).toBe(132)
    expect(terminalWith({ isTTY: true, columns: 5 }).width).toBe(40)
    expect(terminalWith({ isTTY: true, columns: 0 }).width).toBe(80)
  })

  it('wraps long sentences on standard error only if that is a terminal', () => {
    const sentence = `There is no agent 'x'; supported are ${'claude-code, '.repeat(12)}codex.`
    const noted = (stream: { readonly isTTY: boolean; readonly columns?: number }): string => {
      let written = ''
      const error = { write: (text: string) => (written += text) !== '', on: () => undefined, ...stream }
      createTerminal(
        {
          input: process.stdin,
          output: process.stdout,
          error: error as unknown as NodeJS.WriteStream,
          variables: {},
        },
        false,
      ).note(sentence)
      return written
    }
    const lines = noted({ isTTY: true, columns: 60 }).split('\n')
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.filter((line) => line.length > 60)).toEqual([])
    expect(lines.join(' ').trimEnd()).toBe(sentence)
    expect(noted({ isTTY: false })).toBe(`${sentence}\n`)
    expect(noted({ isTTY: true, columns: 0 }).split('\n')[0]?.length).toBeGreaterThan(60)
  })
})
