import { describe, expect, it } from '@jest/globals'
import { createAttachments, fileMention, withMentions, type AttachedPart } from './attachments.ts'
import { linkedFile } from '../../webview/host/linked-file.ts'

const selection = (first: number, text: string): AttachedPart => ({
  kind: 'selection',
  selection: { path: 'src/a.ts', lines: { first, last: first + 2 }, text },
})

describe('what is attached to a message', () => {
  it('replaces the same thing, and belongs to one message', () => {
    const attachments = createAttachments()
    attachments.add(selection(1, 'before'))
    attachments.add({ kind: 'file', path: 'b.ts' })
    const all = attachments.add(selection(1, 'after'))
    expect(all.map(({ label }) => label)).toEqual(['b.ts', 'src/a.ts:1-3'])
    expect(attachments.remove(all[0]?.id ?? '')).toHaveLength(1)
    expect(attachments.take(all)).toEqual([selection(1, 'after')])
    expect(attachments.take(all)).toEqual([])
  })

  it('is mentioned behind the text, unless the text does', () => {
    const parts: readonly AttachedPart[] = [selection(1, 'x'), { kind: 'file', path: 'b.ts' }]
    expect(withMentions('look', parts)).toBe('look\n\n@selection @b.ts')
    expect(withMentions('look at @selection, and @b.tsx', parts)).toBe('look at @selection, and @b.tsx\n\n@b.ts')
    expect(withMentions('look', [])).toBe('look')
  })

  it.each([
    ['src/a.ts', '@src/a.ts'],
    ['my file.ts', '@"my file.ts"'],
    ['what?', '@"what?"'],
  ])('mentions %s', (path, mention) => {
    expect(fileMention(path)).toBe(mention)
  })
})

describe('files of links', () => {
  it.each([
    ['src/a.ts', { path: '/w/src/a.ts', line: undefined }],
    ['./src/a.ts:12', { path: '/w/src/a.ts', line: 12 }],
    ['src/a.ts:12:3', { path: '/w/src/a.ts', line: 12 }],
    ['src/a%20b.ts#L7-L9', { path: '/w/src/a b.ts', line: 7 }],
    ['/w/src/a.ts', { path: '/w/src/a.ts', line: undefined }],
    ['../secret', undefined],
    ['/etc/passwd', undefined],
    ['%2e%2e/secret', undefined],
    ['src/../../x', undefined],
  ])('%s', (address, file) => {
    expect(linkedFile(address, '/w')).toEqual(file)
  })
})
