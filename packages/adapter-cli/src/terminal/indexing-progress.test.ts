import { describe, expect, it } from '@jest/globals'
import { createIndexingProgress } from './indexing-progress.ts'
import type { Terminal } from './terminal.ts'

const heard = (isErrorTerminal: boolean) => {
  const drawn: string[] = []
  const noted: string[] = []
  const terminal = {
    isErrorTerminal,
    progress: (text: string) => drawn.push(text),
    note: (text: string) => noted.push(text),
  } as unknown as Terminal
  let time = 0
  const tell = createIndexingProgress(terminal, () => (time += 50))
  for (const done of [0, 250, 500, 750, 1_000]) tell({ done, total: 1_000 })
  return { drawn, noted }
}

describe('the progress line of the search index', () => {
  it('is redrawn on a terminal, not too often, and cleared at the end', () => {
    const { drawn, noted } = heard(true)
    expect(drawn.at(0)).toContain('0 of 1,000')
    expect(drawn.length).toBeLessThan(5)
    expect(drawn.at(-1)).toBe('\r\u001b[K')
    expect(noted).toEqual([])
  })

  it('is printed once where the output is no terminal', () => {
    const { drawn, noted } = heard(false)
    expect(drawn).toEqual([])
    expect(noted).toEqual([expect.stringContaining('1,000 entries')])
  })
})
