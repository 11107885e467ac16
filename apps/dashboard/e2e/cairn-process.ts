/** The command line in one process that answers many calls, for tests with hundreds of them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export interface CairnProcess {
  /** What `cairn <words> --json` prints, parsed. Rejects where the command fails. */
  json(...words: readonly string[]): Promise<unknown>
  stop(): void
}

interface Answer {
  readonly id: number
  readonly printed: string
  readonly code: number
}

/**
 * Starts a process that answers calls of the built command over a store of a file, one after another.
 * @param zone IANA name; the system's time zone to it
 * @param home where the user's settings are, and the folder that it works in
 */
export const startCairn = async (file: string, zone: string, home: string): Promise<CairnProcess> => {
  const child = fork(here('./cairn-answers.mjs'), [here('../../../packages/adapter-cli/dist/main.js')], {
    cwd: home,
    env: { ...process.env, NODE_OPTIONS: '', TZ: zone, CAIRN_HOME: home },
    execArgv: [],
    silent: false,
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  let calls = 0
  await once(child, 'message')
  child.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  child.on('exit', () => {
    for (const [id, resolve] of waiting) resolve({ id, printed: 'the command ended', code: 1 })
  })
  return {
    json: async (...words) => {
      calls += 1
      const id = calls
      const answer = await new Promise<Answer>((resolve) => {
        waiting.set(id, resolve)
        child.send({ id, words: [...words, '--json', '--store', `file:${file}`] })
      })
      if (answer.code !== 0) throw new Error(`cairn ${words.join(' ')}: ${answer.printed}`)
      return JSON.parse(answer.printed) as unknown
    },
    stop: () => child.disconnect(),
  }
}
