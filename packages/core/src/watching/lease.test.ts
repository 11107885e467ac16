import { describe, expect, it } from '@jest/globals'
import { isStaleLease, leaseText, parseLease } from './lease.ts'

const owner = { pid: 4711, host: 'here', started: '1200' }

describe('a lease', () => {
  it('names the program that holds it, where that says so', () => {
    expect(parseLease(leaseText({ ...owner, program: 'cairn dashboard' }))).toMatchObject({
      program: 'cairn dashboard',
    })
    expect(parseLease(leaseText({ ...owner, program: 'x'.repeat(10_000) }))?.program?.length).toBeLessThan(100)
    expect(parseLease('{"pid":9,"host":"a","program":7}')).toEqual({ pid: 9, host: 'a' })
  })

  it('is read as it was written', () => {
    expect(parseLease(leaseText(owner))).toEqual(owner)
    expect(parseLease(leaseText({ ...owner, started: undefined }))).toEqual({ ...owner, started: undefined })
  })

  it.each(['', '{', '[]', '7', '{"pid":0,"host":"a"}', '{"pid":-3,"host":"a"}', '{"pid":1.5,"host":"a"}', '{"pid":9}'])(
    'has no owner when it contains %j',
    (text) => {
      expect(parseLease(text)).toBeUndefined()
    },
  )

  it('is stale at once when its process has ended, or its id belongs to another process now', () => {
    expect(isStaleLease(owner, 5, { isAlive: false, started: undefined })).toBe(true)
    expect(isStaleLease(owner, 5, { isAlive: true, started: '1201' })).toBe(true)
  })

  it('is valid however long it is not renewed, as long as that very process runs', () => {
    expect(isStaleLease(owner, 90_000_000, { isAlive: true, started: '1200' })).toBe(false)
  })

  it.each([
    ['another machine', owner, undefined],
    ['a text that can’t be read', undefined, undefined],
    ['a system that tells no start', { ...owner, started: undefined }, { isAlive: true, started: undefined }],
  ] as const)('is stale after a minute without renewal for %s', (_, of, process) => {
    expect(isStaleLease(of, 59_000, process)).toBe(false)
    expect(isStaleLease(of, 61_000, process)).toBe(true)
  })
})
