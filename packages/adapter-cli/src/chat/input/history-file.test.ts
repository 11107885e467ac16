import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { historyPath, openHistory } from './history-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chat-history-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const silent = (problem: string): never => {
  throw new Error(problem)
}

describe('the history of a workspace', () => {
  it('is kept in a file of its own for the user alone, the newest first, without secrets and repetitions', () => {
    const path = historyPath(folder, '/code/app')
    expect(historyPath(folder, '/code/other')).not.toBe(path)
    const key = `sk-ant-api03-${'Ab1'.repeat(31)}AA`
    const history = openHistory(path, silent)
    for (const text of ['one', 'two\nlines', 'one', `key ${key}`, 'x'.repeat(5_000)]) history.add(text)
    const { entries } = openHistory(path, silent)
    expect(entries.length).toBe(3)
    expect(entries.slice(1)).toEqual(['one', 'two\nlines'])
    expect(readFileSync(path, 'utf8')).not.toContain(key)
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(dirname(path)).mode & 0o077).toBe(0)
    }
  })

  it('leaves out lines that are none of its own, and keeps a long file short', () => {
    const path = historyPath(folder, '/code/app')
    mkdirSync(dirname(path), { recursive: true })
    const lines = Array.from({ length: 1_200 }, (_, number) => JSON.stringify({ text: `message ${number}` }))
    writeFileSync(path, `${[...lines, '{"text":', '"text"', '[1]'].join('\n')}\n`)
    expect(openHistory(path, silent).entries[0]).toBe('message 1199')
    expect(readFileSync(path, 'utf8').trimEnd().split('\n').length).toBe(500)
    expect(openHistory(path, silent).entries.at(-1)).toBe('message 700')
  })

  it('tells once that it can not be kept, and goes on', () => {
    writeFileSync(join(folder, 'chat-history'), 'a file')
    const problems: string[] = []
    const history = openHistory(historyPath(folder, '/code/app'), (problem) => problems.push(problem))
    history.add('one')
    history.add('two')
    expect(problems.length).toBe(1)
    expect(problems[0]).toMatch(/^What you type is not kept for the next time: /)
  })
})
