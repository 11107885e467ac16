/** Imports in processes of their own: a folder of transcripts for them, and what two stores must agree in. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Store } from '@cairn/core'
import type { ImportReport } from '@cairn/core/importers'
import { openStore } from '../open-store.ts'

const START = Date.UTC(2026, 1, 2, 9)
const MINUTE_MS = 60_000

/**
 * Writes transcripts of Claude Code, below `projects` in a folder, one for each session; replies repeat their request
 * in two lines, as the real ones do. The same arguments give the same files.
 */
export const writeTranscripts = (folder: string, sessions: number, turns: number): void => {
  for (let session = 0; session < sessions; session += 1) {
    const name = `00000000-0000-4000-8000-${String(session).padStart(12, '0')}`
    const lines: string[] = []
    const add = (turn: number, part: string, more: Readonly<Record<string, unknown>>): void => {
      const timestamp = new Date(START + (session * turns + turn) * MINUTE_MS).toISOString()
      lines.push(
        JSON.stringify({
          uuid: `${name}-${turn}-${part}`,
          sessionId: name,
          timestamp,
          cwd: `/work/project-${session % 3}`,
          gitBranch: 'main',
          ...more,
        }),
      )
    }
    for (let turn = 0; turn < turns; turn += 1) {
      // Long enough for blocks; every tenth is the same in all sessions.
      const text = `${turn % 10 === 0 ? 'everywhere' : name} ${turn} ${'words and words '.repeat(60)}`
      add(turn, 'user', { type: 'user', message: { role: 'user', content: text } })
      const message = { id: `msg_${session}_${turn}`, role: 'assistant', model: 'claude-sonnet-4-6' }
      const usage = {
        input_tokens: 5,
        cache_read_input_tokens: 1_000 + turn,
        cache_creation_input_tokens: 40,
        output_tokens: 1,
      }
      add(turn, 'thinking', {
        type: 'assistant',
        message: { ...message, content: [{ type: 'thinking', thinking: `on ${text}`, signature: 'x' }], usage },
      })
      add(turn, 'text', {
        type: 'assistant',
        message: {
          ...message,
          content: [{ type: 'text', text: `reply to ${turn}` }],
          usage: { ...usage, output_tokens: 50 + turn },
        },
      })
    }
    const project = join(folder, 'projects', `-work-project-${session % 3}`)
    mkdirSync(project, { recursive: true })
    writeFileSync(join(project, `${name}.jsonl`), `${lines.join('\n')}\n`)
  }
}

/**
 * Runs an import to its end, or until it kills itself after so many steps. Resolves with undefined if it was killed;
 * rejects if it failed.
 */
export const importProcess = (
  address: string,
  folder: string,
  killAfterSteps?: number,
): Promise<ImportReport | undefined> => {
  const script = fileURLToPath(new URL('import-process.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    [
      '--conditions=@cairn/source',
      script,
      address,
      folder,
      ...(killAfterSteps === undefined ? [] : [String(killAfterSteps)]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  )
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined)
      else if (code === 0) resolve(JSON.parse(stdout) as ImportReport)
      else reject(new Error(`the import ended with ${code ?? signal}: ${stderr.slice(-2_000)}`))
    })
  })
}

/**
 * What of a store must be the same however the content came into it: counts, sessions by id, sums, texts, faults. Of at
 * most 10,000 sessions.
 */
export const contentOf = async (address: string) => {
  const store = await openStore(address)
  try {
    const { sessions } = await store.sessions.list({ limit: 10_000 })
    const { entries, requests, importedFiles, sourceBytes } = await store.statistics()
    return {
      counts: { entries, requests, importedFiles, sourceBytes },
      sessions: sessions.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
      usage: {
        session: await store.usage.report({ by: 'session' }),
        day: await store.usage.report({ by: 'day' }),
        model: await store.usage.report({ by: 'model' }),
      },
      texts: await textsOf(store),
      faults: await store.verify(),
    }
  } finally {
    await store.close()
  }
}

/** The entries of all sessions as JSON, in order of their start. Of at most 10,000. */
const textsOf = async (store: Pick<Store, 'sessions'>): Promise<readonly (readonly string[])[]> => {
  const { sessions } = await store.sessions.list({ limit: 10_000, sort: 'started' })
  return Promise.all(
    sessions.map(async ({ id }) => (await store.sessions.read(id)).map((entry) => JSON.stringify(entry))),
  )
}
