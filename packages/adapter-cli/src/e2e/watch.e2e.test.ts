/** `cairn watch` as a process: what grows arrives, one of two takes in, and being killed costs nothing. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { appendClaude, claudePath } from '../testing/grown-transcripts.ts'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { createWatches, hasTold, messagesOf } from '../testing/run-watch.ts'
import { storeTotals } from '../testing/store-totals.ts'

const MOST_MS = 120_000

let box: Sandbox
const watches = createWatches(() => box)
const watch = watches.start
const until = (isSo: () => boolean): Promise<void> => watches.until('as above', isSo)
const has = hasTold
beforeEach(() => {
  box = createSandbox()
})
afterEach(async () => {
  await watches.end()
  box.remove()
})

const home = (): string => join(box.folder, 'home')
const append = (session: string, number: number, end = '\n'): string => appendClaude(home(), session, number, end)

describe('cairn watch', () => {
  it(
    'imports growing and new transcripts, and ends with totals',
    async () => {
      append('old', 1)
      const one = watch()
      await until(() => has(one, 'following'))
      append('old', 2)
      append('new', 1)
      append('new', 2)
      await until(() => messagesOf(one) === 3)
      one.child.kill('SIGTERM')
      expect(await one.ended).toBe(0)
      expect(one.lines.at(-1)).toMatchObject({ event: 'ended', sessions: 2, messages: 4, requests: 4 })
      expect(one.lines.find((line) => line['event'] === 'import')).toMatchObject({
        agent: 'claude-code',
        workspace: '/code/app',
      })
      expect(await box.json('import')).toMatchObject({ files: 0 })
    },
    MOST_MS,
  )

  it(
    'waits while another one imports, and takes over when that one is killed',
    async () => {
      const first = watch()
      await until(() => has(first, 'following'))
      const second = watch()
      await until(() => has(second, 'standby'))
      expect(second.lines[0]).toMatchObject({ event: 'standby' })
      append('s', 1)
      await until(() => messagesOf(first) === 1)
      expect(has(second, 'following')).toBe(false)
      first.child.kill('SIGKILL')
      await first.ended
      append('s', 2)
      await until(() => has(second, 'following'))
      append('s', 3)
      await until(() => messagesOf(second) >= 1)
      second.child.kill('SIGINT')
      expect(await second.ended).toBe(0)
      expect(second.lines.at(-1)).toMatchObject({ event: 'ended', messages: 2 })
    },
    MOST_MS,
  )

  it(
    'misses and repeats nothing when killed again and again while transcripts grow',
    async () => {
      let number = 0
      const grow = (): void => {
        number += 1
        for (const session of ['a', 'b', 'c', 'd']) append(session, number, number % 3 === 0 ? '' : '\n')
        // A line that was begun is ended later.
        if (number % 3 === 0)
          for (const session of ['a', 'b', 'c', 'd']) appendFileSync(claudePath(home(), session), '\n')
      }
      for (let round = 0; round < 5; round += 1) {
        grow()
        const one = watch()
        await until(() => has(one, 'following'))
        while (messagesOf(one) < 4 + 3 * round) {
          grow()
          await wait(10 + 15 * round)
        }
        one.child.kill('SIGKILL')
        await one.ended
      }
      const last = watch()
      await until(() => has(last, 'following'))
      last.child.kill('SIGTERM')
      await last.ended
      await box.cairn('import', '--store', 'file:plain.db')
      const watched = await storeTotals(box)
      expect(watched).toEqual(await storeTotals(box, '--store', 'file:plain.db'))
      expect(watched.total).toBe(4)
      expect(await box.json('import')).toMatchObject({ files: 0 })
    },
    MOST_MS,
  )

  it('refuses an unknown agent and an empty folder', async () => {
    expect(await box.cairn('watch', '--agent', 'nobody')).toMatchObject({ code: 2 })
    expect(await box.cairn('watch', '--from', '')).toMatchObject({ code: 2 })
    await box.cairn('config', 'set', 'watch.exclude', 'codex,nobody')
    const refused = await box.cairn('watch')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('The setting watch.exclude: There is no agent "nobody"')
  })
})
