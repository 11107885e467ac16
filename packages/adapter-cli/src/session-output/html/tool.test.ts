import { describe, expect, it } from '@jest/globals'
import type { JsonValue, ToolResultBlock } from '@cairn/core'
import { ansiHtml, withoutAnsi } from './ansi.ts'
import { imageHtml } from './image.ts'
import { outputHtml, toolHtml } from './tool.ts'

const around = { redactText: (text: string) => text, workspace: '/code/app' }
const html = (name: string, input: JsonValue, text?: string): string => {
  const result: ToolResultBlock | undefined =
    text === undefined ? undefined : { type: 'tool_result', callId: 'c', content: [{ type: 'text', text }] }
  return toolHtml({ type: 'tool_call', id: 'c', name, input }, result, undefined, around)
}

describe('a tool that was called', () => {
  it('shows an edit as the lines that changed', () => {
    const shown = html(
      'Edit',
      { file_path: '/code/app/src/a.ts', old_string: 'a\nb\nc', new_string: 'a\nB\nc' },
      'done',
    )
    expect(shown).toContain('<span class="subject">src/a.ts</span>')
    expect(shown).toContain('<span class="plus">+1</span> <span class="minus">−1</span>')
    expect(shown).toContain('  a\n<span class="dd">− b</span>\n<span class="da">+ B</span>\n  c')
    expect(
      html('MultiEdit', {
        path: 'a',
        edits: [
          { old_string: 'x', new_string: 'y' },
          { old_string: '1', new_string: '2' },
        ],
      }),
    ).toContain('+2')
    expect(html('apply_patch', '*** Begin Patch\n*** Update File: a\n-old\n+new')).toMatch(
      /<span class="subject">a<\/span>[\s\S]*<span class="da">\+new<\/span>/,
    )
  })

  it('shows failures, missing results and arguments', () => {
    expect(html('Bash', { command: 'npm test\nsecond line' })).toMatch(/npm test…<\/span> <span class="size">no result/)
    expect(html('Grep', '{"pattern":"<b>"}', 'x')).toContain('<span class="subject">&lt;b&gt;</span>')
    const failed = toolHtml(
      { type: 'tool_call', id: 'c', name: 'Read', input: {} },
      { type: 'tool_result', callId: 'c', content: [], isError: true },
      'm4',
      around,
    )
    expect(failed).toContain('<details class="tool failed">')
    expect(failed).toContain('<div class="result" id="m4">')
  })
})

describe('a terminal’s output', () => {
  it('keeps the palette’s colours, and no other control sequence', () => {
    expect(ansiHtml('\u001b[1;31mred\u001b[0m <b>')).toBe('<span class="ab a1">red</span> &lt;b&gt;')
    // After colons there are no codes of their own: 4:3 is no italic, and blue 4 no underline.
    expect(ansiHtml('\u001b[4:3mx\u001b[4:0my\u001b[38:2::1:2:4mz\u001b[38:5:9mw')).toBe(
      ansiHtml('\u001b[4mx\u001b[24my\u001b[38;2;1;2;4mz\u001b[38;5;9mw'),
    )
    expect(ansiHtml('\u001b[38;5;9mx\u001b[39m\u001b[38;2;1;2;3my\u001b[48;5;1mz')).toBe('<span class="a9">x</span>yz')
    expect(ansiHtml('a\u001b[2J\u001b]0;title\u0007\u001b]8;;https://x\u001b\\b\u001b(Bc')).not.toContain('title')
    expect(withoutAnsi('a\u001b[31mb\u001b[0mc')).toBe('abc')
  })

  it('loses its colours where they split a secret', () => {
    const redactText = (text: string): string => text.replace('secret', '[redacted]')
    expect(outputHtml('a sec\u001b[0mret \u001b[31mb', redactText)).toBe('a [redacted] b')
    expect(outputHtml('\u001b[31mb', redactText)).toBe('<span class="a1">b</span>')
  })
})

describe('an image', () => {
  const PNG = 'iVBORw0KGgoAAAANSUhEUg=='
  it('is shown only if its content is of its type', () => {
    expect(imageHtml({ type: 'image', mediaType: 'image/png', data: PNG })).toContain(
      `src="data:image/png;base64,${PNG}"`,
    )
    expect(imageHtml({ type: 'image', mediaType: 'x', url: `data:image/png;base64,${PNG}` })).toContain('<img')
    for (const [mediaType, data] of [
      ['image/svg+xml', PNG],
      ['image/jpeg', PNG],
      ['image/png', `${PNG}"`],
      ['image/png', 'PHN2Zz4='],
      ['text/html', PNG],
    ] as const) {
      expect(imageHtml({ type: 'image', mediaType, data })).not.toContain('<img')
    }
    expect(imageHtml({ type: 'image', mediaType: 'image/png', url: 'https://a.example/x.png' })).toContain(
      '<a href="https://a.example/x.png"',
    )
    expect(imageHtml({ type: 'image', mediaType: 'image/png', url: 'javascript:x' })).not.toContain('<a')
  })
})
