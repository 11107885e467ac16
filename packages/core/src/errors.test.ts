import { runInNewContext } from 'node:vm'
import { messageOf } from './errors.ts'

describe('messageOf', () => {
  it.each<readonly [unknown, string]>([
    [new TypeError('not a number'), 'not a number'],
    [runInNewContext("new Error('from elsewhere')"), 'from elsewhere'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
    [{ message: 5 }, '[object Object]'],
  ])('of %p is %j', (thrown, message) => {
    expect(messageOf(thrown)).toBe(message)
  })
})
