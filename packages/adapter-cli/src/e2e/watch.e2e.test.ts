/** `cairn watch` as a process: what grows arrives, one of two takes in, and being killed costs nothing. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const MOST_MS = 120_000

type Line = Readonly<Record<string, unknown>>

interface Watch {
  readonly child: ChildProcess
  readonly lines: readonly Line[]
  readonly ended: Promise<number | null>
}

let box: Sandbox
let watches: Watch[]
beforeEach(() => {
  box = createSandbox()
  watches = []
})
afterEach(async () => {
  for (const { child, ended } of watches) {
    child.kill('SIGKILL')
    await ended
  }
  box.remove()
})

const watch = (...args: readonly string[]): Watch => {
  const child = spawn(process.execPath, [BIN, 'watch', '--json', ...args], {
    cwd: box.folder,
    env: { PATH: process.env['PATH'], HOME: join(box.folder, 'home'), CAIRN_HOME: join(box.folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: Line[] = []
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${text}${chunk}`.split('\n')
    text = parts.pop() ?? ''
    for (const part of parts) lines.push(JSON.parse(part) as Line)
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
  })
  const started = { child, lines, ended }
  watches.push(started)
  return started
}

const until = async (isSo: () => boolean): Promise<void> => {
  const end = Date.now() + MOST_MS / 2
  while (!isSo()) {
    await wait(20)
    if (Date.now() > end) throw new Error(`It did not come: ${JSON.stringify(watches.map(({ lines }) => lines))}`)
  }
}

const has = ({ lines }: Watch, event: string): boolean => lines.some((line) => line['event'] === event)
const messagesOf = ({ lines }: Watch): number =>
  lines.reduce((sum, line) => sum + (line['event'] === 'import' ? Number(line['messages']) : 0), 0)

/** Appends a turn to a session's transcript in the usual folder of Claude Code. */
const append = (session: string, number: number, end = '\n'): void => {
  const path = join(box.folder, 'home', '.claude', 'projects', `-code-${session}`, `${session}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  const text = claudeLine({
    session,
    id: `${session}-${number}`,
    at: new Date(Date.UTC(2026, 0, 3, 9, number)).toISOString(),
    text: `step ${number} ${'and on '.repeat((number * 7) % 30)}`,
    tokens: [10 + number, 100 * number, 20, 50 + number],
  })
  appendFileSync(path, `${text}${end}`)
}

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
          for (const session of ['a', 'b', 'c', 'd'])
            appendFileSync(
              join(box.folder, 'home', '.claude', 'projects', `-code-${session}`, `${session}.jsonl`),
              '\n',
            )
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
      const totals = async (...args: readonly string[]) => [
        await box.json('usage', '--by', 'session', ...args),
        await box.json('session', 'list', ...args),
      ]
      const watched = await totals()
      expect(watched).toEqual(await totals('--store', 'file:plain.db'))
      expect(watched[1]).toMatchObject({ total: 4 })
      expect(await box.json('import')).toMatchObject({ files: 0 })
    },
    MOST_MS,
  )

  it('refuses an unknown agent and an empty folder', async () => {
    expect(await box.cairn('watch', '--agent', 'nobody')).toMatchObject({ code: 2 })
    expect(await box.cairn('watch', '--from', '')).toMatchObject({ code: 2 })
  })
})
