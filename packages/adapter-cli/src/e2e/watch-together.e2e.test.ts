/** Watches, hooks and imports at once on one store: nothing twice, nothing missed, and nobody is told of a lock. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { appendClaude, appendCodex, claudePath } from '../testing/grown-transcripts.ts'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { importsDone, runHook } from '../testing/run-hook.ts'
import { createWatches, hasTold } from '../testing/run-watch.ts'
import { storeTotals } from '../testing/store-totals.ts'

const MOST_MS = 240_000
const CODEX = '7b7a2f54-3a52-4a52-a7a0-0e6dd0a2d9f3'
const SESSIONS = ['a', 'b', 'c', 'd', 'e', 'f']
const ROUNDS = 12

let box: Sandbox
const watches = createWatches(() => box)
beforeEach(() => {
  box = createSandbox()
})
afterEach(async () => {
  await watches.end()
  await importsDone(box)
  box.remove()
})

const grow = (number: number): void => {
  const home = join(box.folder, 'home')
  for (const [index, session] of SESSIONS.entries()) if (number % (index + 1) === 0) appendClaude(home, session, number)
  appendCodex(home, CODEX, number)
}

/** What is in the store is what one import of the final files makes of them. */
const expectWhole = async (): Promise<void> => {
  await box.cairn('import', '--store', 'file:plain.db')
  const plain = await storeTotals(box, '--store', 'file:plain.db')
  expect(plain.total).toBe(SESSIONS.length + 1)
  expect(await storeTotals(box)).toEqual(plain)
  expect(await box.json('import')).toMatchObject({ files: 0, messages: 0 })
}

describe('cairn watch together with', () => {
  it(
    'a second watch, one of a single agent, hooks and imports misses nothing and takes nothing twice',
    async () => {
      // Two of them take in by turns; the third has a lease of its own, and takes in Codex at the same time.
      const all = [watches.start(), watches.start(), watches.start('--agent', 'codex')]
      await watches.until('two follow', () => all.filter((one) => hasTold(one, 'following')).length >= 2)
      const outputs: string[] = []
      const others: Promise<unknown>[] = []
      for (let number = 1; number <= ROUNDS; number += 1) {
        grow(number)
        const session_id = SESSIONS[number % SESSIONS.length] ?? 'a'
        if (existsSync(claudePath(join(box.folder, 'home'), session_id)))
          others.push(
            runHook(box, ['stop', '--agent', 'claude-code'], {
              input: { session_id, transcript_path: claudePath(join(box.folder, 'home'), session_id), cwd: box.folder },
            }).then((result) => outputs.push(JSON.stringify(result))),
          )
        if (number % 3 === 0) others.push(box.cairn('import').then((result) => outputs.push(JSON.stringify(result))))
        await wait(10 * (number % 7))
        if (number === ROUNDS / 2) all.find((one) => hasTold(one, 'following'))?.child.kill('SIGKILL')
      }
      await Promise.all(others)
      await importsDone(box)
      for (const { child, ended } of all) {
        child.kill('SIGTERM')
        await ended
      }
      const told = [...outputs, ...all.flatMap(({ lines, errors }) => [JSON.stringify(lines), errors()])].join('\n')
      expect(told).not.toMatch(/locked|busy|"trouble"|not expected/i)
      const log = join(box.folder, 'data', 'hooks.log')
      expect(existsSync(log) ? readFileSync(log, 'utf8') : '').toBe('')
      for (const output of outputs) expect(JSON.parse(output)).toMatchObject({ code: 0 })
      // What was written last may have been in the hands of the one that was killed.
      await box.cairn('import')
      await expectWhole()
    },
    MOST_MS,
  )
})
