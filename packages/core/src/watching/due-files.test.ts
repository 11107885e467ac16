import { describe, expect, it } from '@jest/globals'
import { DueFiles } from './due-files.ts'

describe('files with notifications', () => {
  it('are due after a moment without notifications, each once', () => {
    const due = new DueFiles()
    expect(due.nextAt).toBeUndefined()
    due.notice('/a', 1_000)
    due.notice('/b', 1_030)
    due.notice('/a', 1_050)
    expect(due.nextAt).toBe(1_090)
    expect(due.take(1_089)).toEqual([])
    expect(due.take(1_090)).toEqual(['/b'])
    expect(due.take(1_110)).toEqual(['/a'])
    expect(due.take(9_999)).toEqual([])
    expect(due.nextAt).toBeUndefined()
  })

  it('are due also when notifications never stop', () => {
    const due = new DueFiles()
    let now = 500
    for (; due.take(now).length === 0; now += 10) {
      due.notice('/busy', now)
      expect(now).toBeLessThanOrEqual(750)
    }
    due.notice('/busy', now)
    expect(due.take(now)).toEqual([])
  })
})
