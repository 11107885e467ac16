import { describe, expect, it } from '@jest/globals'
import { blockView } from './block-view.ts'

const textView = (text: string, isWhole = false) => {
  const view = blockView({ type: 'text', text }, 0, { isWhole, toolOf: () => undefined })
  if (view.type !== 'text') throw new Error('a text is shown as one')
  return view
}

describe('a text with tags of a program', () => {
  const rules = 'Read the file first. '.repeat(600)

  it('has all that is left of it in the tag whose end was cut off', () => {
    const text = `# Rules of /x\n\n<INSTRUCTIONS>\n${rules}\n</INSTRUCTIONS>\nand words`
    const { parts, length } = textView(text)
    expect(length).toBe(text.length)
    expect(parts.map(({ label }) => label)).toEqual([undefined, 'Standing instructions'])
    expect(parts[1]?.text.startsWith('Read the file first. Read')).toBe(true)
    expect(parts.reduce((sum, part) => sum + part.text.length, 0)).toBe(6_000)
    expect(textView(text, true).parts.map(({ label, text: part }) => [label, part.length])).toEqual([
      [undefined, 15],
      ['Standing instructions', rules.trim().length],
      [undefined, 10],
    ])
  })

  it('keeps a tag that never ends as text, also where that was cut', () => {
    expect(textView(`<system-reminder>${rules}`).parts).toEqual([])
  })

  it('is not in parts where no tag stands', () => {
    expect(textView('a < b')).toEqual({ type: 'text', text: 'a < b', length: 5, parts: [] })
  })
})
