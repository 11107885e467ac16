import { expect, it } from '@jest/globals'
import { readAgain } from './read-again.ts'

/** Fails so often with a code, then answers. */
const failing = (times: number, code: string) => {
  let reads = 0
  const read = (): Promise<number> => {
    reads += 1
    return reads <= times ? Promise.reject(Object.assign(new Error('in the way'), { code })) : Promise.resolve(reads)
  }
  return { read, count: () => reads }
}

it('repeats a read that a replica gave up', async () => {
  expect(await readAgain(failing(0, '40001').read)).toBe(1)
  expect(await readAgain(failing(3, '40001').read)).toBe(4)
})

it('gives up after a while, and at once for anything else', async () => {
  const always = failing(100, '40001')
  await expect(readAgain(always.read)).rejects.toMatchObject({ code: '40001' })
  expect(always.count()).toBe(5)
  const other = failing(1, '42P01')
  await expect(readAgain(other.read)).rejects.toMatchObject({ code: '42P01' })
  expect(other.count()).toBe(1)
})
