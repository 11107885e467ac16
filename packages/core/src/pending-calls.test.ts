import { describe, expect, it } from '@jest/globals'
import { createPendingCalls } from './pending-calls.ts'

describe('calls that wait for a result', () => {
  it('are answered in their order where they have the same id', () => {
    const pending = createPendingCalls<string>()
    pending.begin('assistant')
    for (const call of ['patch', 'test', 'status']) pending.add('same', call)
    pending.add('other', 'read')
    pending.begin('tool')
    expect(['same', 'other', 'same', 'same', 'same'].map((id) => pending.answer(id))).toEqual([
      'patch',
      'read',
      'test',
      'status',
      undefined,
    ])
  })

  it('wait on while a reply goes on in another message, and after the result of another one', () => {
    const pending = createPendingCalls<string>()
    pending.begin('assistant')
    pending.add('0', 'first')
    pending.begin('assistant')
    pending.add('0', 'second')
    pending.begin('user')
    expect([pending.answer('0'), pending.answer('0')]).toEqual(['first', 'second'])
  })

  it('give way to a later reply that uses their id again', () => {
    const pending = createPendingCalls<string>()
    pending.begin('assistant')
    pending.add('0', 'interrupted')
    pending.add('1', 'slow')
    pending.begin('user')
    pending.begin('assistant')
    pending.add('0', 'next')
    pending.begin('tool')
    expect([pending.answer('0'), pending.answer('0'), pending.answer('1')]).toEqual(['next', undefined, 'slow'])
  })

  it('are found again by a second result only where answered ones are kept', () => {
    const pending = createPendingCalls<string>({ keepsAnswered: true })
    pending.begin('assistant')
    pending.add('0', 'a')
    pending.add('0', 'b')
    pending.begin('tool')
    expect(['0', '0', '0', '1'].map((id) => pending.answer(id))).toEqual(['a', 'b', 'b', undefined])
  })

  it('are forgotten, the oldest first, where results never come', () => {
    const pending = createPendingCalls<number>()
    for (let call = 0; call < 1_002; call += 1) pending.add(String(call), call)
    expect(['0', '1', '2', '1001'].map((id) => pending.answer(id))).toEqual([undefined, undefined, 2, 1_001])
  })
})
