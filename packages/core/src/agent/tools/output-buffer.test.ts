import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cleanOutput, commandText } from './command-output.ts'
import { createOutputBuffer } from './output-buffer.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const filled = (text: string, head = 500_000, tail = 500_000) => {
  const buffer = createOutputBuffer(head, tail)
  buffer.add(bytes(text))
  return buffer
}

it('keeps the first and the last bytes of whatever comes, in pieces of any size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 })),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 30 }),
      (pieces, headSize, tailSize) => {
        const buffer = createOutputBuffer(headSize, tailSize)
        for (const piece of pieces) buffer.add(piece)
        const all = pieces.flatMap((piece) => [...piece])
        const { head, tail, omitted } = buffer.kept()
        expect(buffer.total).toBe(all.length)
        if (omitted === 0) expect([...head, ...tail]).toEqual(all)
        else {
          expect([...head]).toEqual(all.slice(0, headSize))
          expect([...tail]).toEqual(all.slice(-tailSize))
          expect(omitted).toBe(all.length - headSize - tailSize)
        }
      },
    ),
  )
})

describe('output for a model', () => {
  it('is whole when it is short, else its beginning and end, cut at lines', () => {
    expect(commandText(filled('one\ntwo\n'))).toEqual({ text: 'one\ntwo\n' })
    const long = Array.from({ length: 20_000 }, (_, at) => `line ${at}`).join('\n')
    const { text, whole } = commandText(filled(long))
    expect(whole).toBe(long)
    expect(text.startsWith('line 0\nline 1\n')).toBe(true)
    expect(text.endsWith('\nline 19999')).toBe(true)
    expect(text).toMatch(/line \d+\n… \(about \d+ of 208889 bytes are left out here\) …\nline \d+\n/)
    expect(text.length).toBeLessThan(30_100)
  })

  it('says what was not kept', () => {
    const { text, whole } = commandText(filled('x'.repeat(1_000), 100, 100))
    expect([text, whole]).toEqual([`${'x'.repeat(100)}\n… (800 bytes were not kept) …\n${'x'.repeat(100)}`, undefined])
  })

  it('has no colours, no cursor movements, and of a progress bar the last state', () => {
    expect(
      cleanOutput(
        '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007\r\n 1%\r 50%\r100%\nb\u0007el\u0000',
      ),
    ).toBe('red link\n100%\nbel')
  })

  it('is no text for what is binary, and text where one character is cut', () => {
    expect(commandText(filled('ab\0cd')).text).toBe('(5 bytes that are no text; write them to a file.)')
    const random = createOutputBuffer(1_000, 1_000)
    random.add(Uint8Array.from({ length: 900 }, (_, at) => 0x80 + (at % 0x70)))
    expect(commandText(random).text).toContain('no text')
    expect(commandText(filled('é'.repeat(50), 31, 31)).text).toContain('éé')
  })
})
