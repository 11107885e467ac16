import { describe, expect, it } from '@jest/globals'
import { SILENT_TERMINAL } from '../../testing/silent-terminal.ts'
import { toolLines } from './tool-line.ts'

const toolLine = (...given: Parameters<typeof toolLines>): string => toolLines(...given).join('\n')
const lineOf = (exitCode: number | null | undefined, isPlain: boolean): string => {
  const content = [{ type: 'text' as const, text: 'a\nb\n3 failed' }]
  const outcome = { content, ...(exitCode === undefined ? {} : { exitCode }) }
  return toolLine({ title: 'run npm test', outcome, durationMs: 20 }, SILENT_TERMINAL, isPlain)
}

describe('the line of a command', () => {
  it.each([
    [0, '✓ run npm test · 3 lines', 'Done: run npm test. 3 lines.'],
    [undefined, '✓ run npm test · 3 lines', 'Done: run npm test. 3 lines.'],
    [1, '✗ run npm test · exit code 1 · 3 lines', 'Failed: run npm test. exit code 1, 3 lines.'],
    [null, '✗ run npm test · ended by a signal · 3 lines', 'Failed: run npm test. ended by a signal, 3 lines.'],
  ])('with exit code %j says whether it succeeded', (exitCode, line, plain) => {
    expect(lineOf(exitCode, false)).toBe(line)
    expect(lineOf(exitCode, true)).toBe(plain)
  })
})

describe('the line of a call that came with rules', () => {
  it('names their files behind the result, cut at the width', () => {
    const outcome = { content: [{ type: 'text' as const, text: 'one\ntwo' }] }
    const finished = { title: 'read packages/x/a.ts', outcome, durationMs: 20, rules: ['packages/x/AGENTS.md'] }
    expect(toolLine(finished, SILENT_TERMINAL, false)).toBe(
      '✓ read packages/x/a.ts · 2 lines · rules of packages/x/AGENTS.md',
    )
    expect(toolLine(finished, SILENT_TERMINAL, true)).toBe(
      'Done: read packages/x/a.ts. 2 lines, rules of packages/x/AGENTS.md.',
    )
    expect(toolLines(finished, { ...SILENT_TERMINAL, width: 40 }, false)).toEqual([
      '✓ read packages/x/a.ts · 2 lines',
      '  rules of packages/x/AGENTS.md',
    ])
  })

  it('says all of why a call failed, on narrow terminals below it', () => {
    const text = 'Not run: the user declined it. They say: not in this file, but in the other one.'
    const outcome = { content: [{ type: 'text' as const, text }], isError: true as const }
    const finished = { title: 'edit packages/web/src/login/login-form.ts', outcome, durationMs: 0 }
    const lines = toolLines(finished, { ...SILENT_TERMINAL, width: 40 }, false)
    expect(lines.every((line) => line.length <= 40)).toBe(true)
    expect(lines[0]).toMatch(/^✗ edit .*…/)
    expect(
      lines
        .slice(1)
        .map((line) => line.trim())
        .join(' '),
    ).toBe(text)
    const plain = toolLines(finished, { ...SILENT_TERMINAL, width: 40 }, true)
    expect(plain.every((line) => line.length <= 40)).toBe(true)
    expect(plain.join(' ')).toBe(`Failed: edit packages/web/src/login/login-form.ts. ${text}`)
  })
})
