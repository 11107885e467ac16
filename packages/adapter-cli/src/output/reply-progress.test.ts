import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { RequestEvent } from '@cairn/core'
import { createReplyProgress } from './reply-progress.ts'

const CLEAR = '\r\u001b[K'
const TEXT: RequestEvent = { type: 'text', text: 'Yes, ' }

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const progressOn = (isLive: boolean) => {
  const drawn: string[] = []
  const terminal = { isErrorTerminal: true, errorWidth: 80, progress: (text: string) => void drawn.push(text) }
  return { drawn, progress: createReplyProgress(terminal, { model: 'm-1', isLive, now: Date.now }) }
}

describe('the progress of a reply', () => {
  it('is told until its text appears on the terminal', () => {
    const { drawn, progress } = progressOn(true)
    jest.advanceTimersByTime(1500)
    expect(drawn[0]).toBe(`${CLEAR}m-1 answers: nothing written yet, 1 s`)
    progress.take(TEXT)
    expect(drawn.at(-1)).toBe(CLEAR)
    const count = drawn.length
    jest.advanceTimersByTime(5000)
    progress.end()
    expect(drawn).toHaveLength(count)
  })

  it('counts what has come where the reply is shown when it is whole, and ends', () => {
    const { drawn, progress } = progressOn(false)
    progress.take(TEXT)
    jest.advanceTimersByTime(3000)
    expect(drawn.at(-1)).toBe(`${CLEAR}m-1 answers: 5 characters written, 3 s`)
    progress.end()
    expect(drawn.at(-1)).toBe(CLEAR)
    const count = drawn.length
    jest.advanceTimersByTime(5000)
    expect(drawn).toHaveLength(count)
  })
})
