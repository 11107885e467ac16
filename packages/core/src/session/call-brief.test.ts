import { describe, expect, it } from '@jest/globals'
import { callBrief, firstLine } from './call-brief.ts'

describe('callBrief', () => {
  it('is the argument that names a thing, whatever stands before it', () => {
    expect(callBrief({ limit: '20', file_path: '/code/shop/total.ts' })).toBe('/code/shop/total.ts')
    expect(callBrief({ description: 'Lists files', command: ['ls', '-l'] })).toBe('ls -l')
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
