/** For end-to-end tests: transcripts of Claude Code and Codex that grow turn by turn, each turn of another size. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claudeLine } from './transcripts.ts'

/** The path of a session's transcript below a user's home, whether it exists or not. */
export const claudePath = (home: string, session: string): string =>
  join(home, '.claude', 'projects', `-code-${session}`, `${session}.jsonl`)

/**
 * Appends a reply to a session's transcript in the usual folder of Claude Code, which is made; returns its path. The
 * same arguments append the same line.
 */
export const appendClaude = (home: string, session: string, number: number, end = '\n', cwd = '/code/app'): string => {
  const path = claudePath(home, session)
  mkdirSync(dirname(path), { recursive: true })
  const text = claudeLine({
    session,
    id: `${session}-${number}`,
    at: new Date(Date.UTC(2026, 0, 3, 9, number)).toISOString(),
    text: `step ${number} ${'and on '.repeat((number * 7) % 30)}`,
    cwd,
    tokens: [10 + number, 100 * number, 20, 50 + number],
  })
  appendFileSync(path, `${text}${end}`)
  return path
}

/**
 * Appends a question to the transcript of a Codex session, whose ids are UUIDs; number 1 begins it. Returns its path.
 * The same arguments append the same lines.
 */
export const appendCodex = (home: string, session: string, number: number, cwd = '/code/app'): string => {
  const path = join(home, '.codex', 'sessions', '2026', '01', '03', `rollout-2026-01-03T09-00-00-${session}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  const at = new Date(Date.UTC(2026, 0, 3, 9, number)).toISOString()
  const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: at, type, payload })}\n`
  const meta = number === 1 ? line('session_meta', { id: session, cwd, cli_version: '0.169.0' }) : ''
  const content = [{ type: 'input_text', text: `question ${number} ${'really '.repeat(number % 20)}` }]
  appendFileSync(path, `${meta}${line('response_item', { type: 'message', role: 'user', content })}`)
  return path
}
