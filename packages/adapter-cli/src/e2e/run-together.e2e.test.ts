/** Two processes of `cairn run` on one session: one works on it at a time, and what a killed one left is free. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { startModelServer, type Reply } from '@cairn/core/testing'
import { createSandbox, environmentOf, resultOf } from '../testing/run-cli.ts'

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const KEYS = { ANTHROPIC_API_KEY: 'test-key' }
/** Ends when nobody reads its output any more. */
const COMMAND = 'while sleep 0.2; do echo waiting; done'

it('the second is told of the first, sends nothing and writes nothing; killed, the first is taken over', async () => {
  const box = createSandbox(KEYS)
  const server = await startModelServer({
    makeReply: ({ body }): Reply => ({
      blocks: JSON.stringify(body['messages']).includes('effect unknown')
        ? [{ type: 'text', text: 'I see.' }]
        : [{ type: 'tool-call', name: 'run_command', input: { command: COMMAND } }],
    }),
  })
  box.file('project/.git/HEAD', 'ref: refs/heads/main\n')
  const asked = ['--model', 'claude-sonnet-5', '--base-url', server.url, '--approve', 'all', '--no-ltm']
  const args = [...asked, '--workspace', 'project']
  const child = spawn(process.execPath, [BIN, 'run', 'Wait', '--json', ...args], {
    cwd: box.folder,
    env: environmentOf(box.folder, KEYS),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const ended = resultOf(child)
    await new Promise<void>((resolve, reject) => {
      let seen = ''
      child.stdout.on('data', (piece: Buffer) => {
        seen += piece.toString()
        if (seen.includes('tool-started')) resolve()
      })
      child.once('close', () => reject(new Error(`it ended: ${seen}`)))
    })
    const refusal = new RegExp(
      `^A run of process ${child.pid} is at work on the session cairn:\\S+: wait until it has ended, or end it; nothing was sent\\.\n$`,
    )
    for (const task of [['--resume'], ['And now?', '--resume']]) {
      const { code, stdout, stderr } = await box.cairn('run', ...task, ...args)
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect(stderr).toMatch(refusal)
    }
    const chat = await box.cairn('chat', 'And now?', '--resume', ...args)
    expect(chat).toMatchObject({ code: 3, stderr: expect.stringContaining(`A run of process ${child.pid} is at work`) })
    expect(server.requests).toHaveLength(1)
    const shown = await box.cairn('session', 'show', '--workspace', 'project')
    expect(shown.code).toBe(0)
    expect(shown.stdout).not.toMatch(/And now|Interrupted/)
    child.kill('SIGKILL')
    await ended
    const done = await box.cairn('run', '--resume', ...args)
    expect(done).toMatchObject({ code: 0, stdout: 'I see.\n' })
    expect(done.stderr).toContain(`Interrupted, its effect is unknown: ${COMMAND}. The model is told so.`)
  } finally {
    child.kill('SIGKILL')
    await server.close()
    box.remove()
  }
}, 180_000)
