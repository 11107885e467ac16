import { describe, expect, it } from '@jest/globals'
import type { Message } from '../messages.ts'
import { cacheBreakpoints } from './breakpoints.ts'

const message = (role: Message['role'], blocks = 1): Message => ({
  role,
  content: Array.from({ length: blocks }, (_, index) => ({ type: 'text' as const, text: `${index}` })),
})

describe('cacheBreakpoints', () => {
  it('marks the end of the request and the end of the previous one', () => {
    expect(cacheBreakpoints([])).toEqual([])
    expect(cacheBreakpoints([message('user')])).toEqual([0])
    expect(cacheBreakpoints([message('user'), message('assistant'), message('tool')])).toEqual([0, 2])
  })

  it('adds a third mark where the lookback from the others would not reach, and never a fourth', () => {
    const long = Array.from({ length: 80 }, (_, index) => message(index % 2 === 0 ? 'user' : 'assistant'))
    const marks = cacheBreakpoints([...long, message('user')])
    expect(marks).toEqual([58, 78, 80])
    expect(cacheBreakpoints([message('user', 30), message('assistant', 30), message('tool', 30)])).toEqual([0, 2])
  })

  it('has the third mark before the message that a rewrite changes, at the end of an earlier request', () => {
    const long = Array.from({ length: 80 }, (_, index) => message(index % 2 === 0 ? 'user' : 'assistant'))
    const messages = [...long, message('user')]
    expect(cacheBreakpoints(messages, 31)).toEqual([30, 78, 80])
    // A reply before it ended no request.
    expect(cacheBreakpoints(messages, 30)).toEqual([28, 78, 80])
    expect(cacheBreakpoints(messages, 79)).toEqual([78, 80])
    expect(cacheBreakpoints(messages, 0)).toEqual([78, 80])
  })
})
