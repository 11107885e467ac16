import { describe, expect, it } from '@jest/globals'
import { createWaitingLine } from './waiting-line.ts'

const lineOn = (isErrorTerminal: boolean) => {
  const drawn: string[] = []
  const time = { now: 5000 }
  const terminal = { isErrorTerminal, errorWidth: 60, progress: (text: string) => void drawn.push(text) }
  return { drawn, time, line: createWaitingLine(terminal, 'Asking m', () => time.now) }
}

describe('the line while a model writes', () => {
  it('appears after a second, is not drawn too often, and is cleared', () => {
    const { drawn, time, line } = lineOn(true)
    line.update(3)
    line.clear()
    expect(drawn).toEqual([])
    time.now += 1200
    line.update(0)
    time.now += 100
    line.update(40)
    time.now += 5000
    line.update(12_345)
    line.clear()
    line.clear()
    expect(drawn).toEqual([
      '\r\u001b[KAsking m: nothing written yet, 1 s',
      '\r\u001b[KAsking m: 12,345 characters written, 6 s',
      '\r\u001b[K',
    ])
  })

  it('tells the time alone where nothing is written', () => {
    const { drawn, time, line } = lineOn(true)
    time.now += 3000
    line.update()
    expect(drawn).toHaveLength(1)
    expect(drawn[0]).toMatch(/Asking m: 3 s$/)
  })

  it('is not drawn where standard error is no terminal', () => {
    const { drawn, time, line } = lineOn(false)
    time.now += 60_000
    line.update(1)
    line.clear()
    expect(drawn).toEqual([])
  })
})
