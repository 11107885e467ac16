// Transcripts as agents keep them, and their import by the `cairn` command, as in another terminal.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../adapter-cli/bin/cairn.js', import.meta.url))
const HOUR_MS = 3_600_000

const usage = (output) => ({
  input_tokens: 1_200,
  cache_read_input_tokens: 84_000,
  cache_creation_input_tokens: 6_500,
  output_tokens: output,
})

/**
 * Writes a session of Claude Code below a home: what the person says, one tool, an answer; `rounds` times. One of the
 * same id is replaced.
 */
export const writeSession = (
  home,
  {
    id,
    folder,
    branch = 'main',
    prompt,
    answer,
    tool = { name: 'Read', input: { file_path: 'src/login.ts' }, result: 'export const login = () => undefined\n' },
    hoursAgo = 0,
    rounds = 1,
    startedAt = Date.now() - hoursAgo * HOUR_MS - rounds * 5_000,
  },
) => {
  const lines = []
  let parent = null
  const add = (type, message, round, more = {}) => {
    const uuid = `${id}-${lines.length}`
    lines.push({
      type,
      uuid,
      parentUuid: parent,
      sessionId: id,
      cwd: folder,
      gitBranch: branch,
      timestamp: new Date(startedAt + round * 5_000 + (lines.length % 5) * 1_000).toISOString(),
      message,
      ...more,
    })
    parent = uuid
  }
  const reply = (round, name, content, stop) =>
    add(
      'assistant',
      {
        id: `msg-${id}-${round}-${name}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content,
        stop_reason: stop,
        usage: usage(round * 7 + 420),
      },
      round,
      { requestId: `req-${id}-${round}-${name}` },
    )
  for (let round = 0; round < rounds; round++) {
    add('user', { role: 'user', content: round === 0 ? prompt : `${prompt} (${round + 1})` }, round)
    reply(
      round,
      'call',
      [{ type: 'tool_use', id: `tool-${id}-${round}`, name: tool.name, input: tool.input }],
      'tool_use',
    )
    add(
      'user',
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: `tool-${id}-${round}`, content: `${tool.result}// ${round + 1}\n` },
        ],
      },
      round,
    )
    reply(round, 'answer', [{ type: 'text', text: answer }], 'end_turn')
  }
  const file = join(home, '.claude', 'projects', folder.replaceAll('/', '-'), `${id}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/**
 * Runs `cairn import` in a process of its own; resolves with its report when it has ended, and rejects with what it
 * said where it failed.
 */
export const importByCommand = (home, variables) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, 'import', '--json'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let log = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (log += text))
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error(log))))
  })
