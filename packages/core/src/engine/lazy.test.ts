import { describe, expect, it } from '@jest/globals'
import { lazy } from './lazy.ts'

interface Greeter {
  greet(name: string): Promise<string>
  leave(): Promise<void>
}

describe('lazy', () => {
  it('loads once, at the first call, and forwards arguments, results and rejections', async () => {
    let loads = 0
    const greeter = lazy<Greeter>({ greet: true, leave: true }, async () => {
      loads++
      return { greet: async (name) => `Hello ${name}`, leave: () => Promise.reject(new Error('stays')) }
    })
    expect(loads).toBe(0)
    expect(await Promise.all([greeter.greet('Ann'), greeter.greet('Ben')])).toEqual(['Hello Ann', 'Hello Ben'])
    await expect(greeter.leave()).rejects.toThrow('stays')
    expect(loads).toBe(1)
  })

  it('has its methods as own properties, so that it can be spread', () => {
    const load = (): Promise<Greeter> => Promise.reject(new Error('must not load'))
    expect(Object.keys({ ...lazy<Greeter>({ greet: true, leave: true }, load) })).toEqual(['greet', 'leave'])
  })
})
