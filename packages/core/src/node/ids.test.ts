import { describe, expect, it } from '@jest/globals'
import { createHasher } from './hasher.ts'
import { createIds } from './ids.ts'

describe('ids', () => {
  it('sort by creation time, also within a millisecond', () => {
    let now = 1_000
    const ids = createIds({ now: () => now })
    const made = Array.from({ length: 100 }, (_, index) => {
      if (index % 10 === 0) now++
      return ids.next()
    })
    expect(new Set(made).size).toBe(100)
    expect([...made].sort()).toEqual(made)
  })
})

describe('the hasher', () => {
  it('returns SHA-256 in hex, the same for a text and its bytes', () => {
    const hasher = createHasher()
    expect(hasher.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(hasher.sha256(new TextEncoder().encode('é'))).toBe(hasher.sha256('é'))
  })
})
