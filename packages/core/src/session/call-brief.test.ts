import { describe, expect, it } from '@jest/globals'
import { callBrief, firstLine } from './call-brief.ts'

describe('callBrief', () => {
  it('is the argument that names a thing, whatever stands before it', () => {
    expect(callBrief({ limit: '20', file_path: '/code/shop/total.ts' })).toBe('/code/shop/total.ts')
    expect(callBrief({ description: 'Lists files', command: ['ls', '-l'] })).toBe('ls -l')
    expect(callBrief({ command: [], description: 'Lists files' })).toBe('Lists files')
  })

  it('is the first text where no argument is known', () => {
    expect(callBrief({ subject: '\n  Count the vouchers\nand then stop', count: 3 })).toBe('Count the vouchers')
    expect(callBrief('raw arguments')).toBe('raw arguments')
    expect(callBrief({})).toBe('')
  })
})

describe('firstLine', () => {
  it('is cut, never in the middle of a character', () => {
    expect(firstLine(`${'a'.repeat(139)}😀 and more`)).toBe(`${'a'.repeat(139)}\uFFFD…`)
    expect(firstLine('b'.repeat(140))).toBe('b'.repeat(140))
  })
})

describe('callBrief of a patch', () => {
  const patch = (...heads: readonly string[]): string =>
    ['*** Begin Patch', ...heads.flatMap((head) => [`*** ${head}`, '@@', '-old', '+new']), '*** End Patch'].join('\n')

  it('is the file that it changes, however the agent hands the patch over', () => {
    const one = patch('Update File: src/total.ts', 'Update File: src/total.ts')
    for (const input of [one, { patchText: one }, { input: one }, { command: ['apply_patch', one] }])
      expect(callBrief(input)).toBe('src/total.ts')
  })

  it('is the number of files where it changes several, and its first line where it names none', () => {
    expect(callBrief({ patchText: patch('Update File: a.ts', 'Add File: b.ts', 'Delete File: c.ts') })).toBe('3 files')
    expect(callBrief({ patchText: patch() })).toBe('*** Begin Patch')
  })
})
