/** `cairn run`, killed in the middle and gone on with: the files are those of a run that nobody killed. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { startModelServer } from '@cairn/core/testing'
import { stepFiles, stepReply } from '../testing/agent-steps.ts'
import { createSandbox, environmentOf, resultOf } from '../testing/run-cli.ts'

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const FILES = stepFiles(8)

// What is killed: while a call is told of, when its result was told, while a reply comes.
it.each([
  ['tool-started', 3],
  ['tool-finished', 5],
  ['"text"', 9],
])(
  'killed at %s number %i it goes on: no message twice, no file missing',
  async (event, number) => {
    const box = createSandbox({ ANTHROPIC_API_KEY: 'test-key' })
    const server = await startModelServer({ makeReply: (call) => stepReply(call, FILES) })
    try {
      box.file('project/.git/HEAD', 'ref: refs/heads/main\n')
      const asked = ['--model', 'claude-sonnet-5', '--base-url', server.url, '--approve', 'all', '--no-ltm', '--json']
      const where = ['--workspace', 'project']
      const child = spawn(process.execPath, [BIN, 'run', 'Write the files', ...asked, ...where], {
        cwd: box.folder,
        env: environmentOf(box.folder, { ANTHROPIC_API_KEY: 'test-key' }),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let seen = ''
      child.stdout.on('data', (piece: Buffer) => {
        seen += piece.toString()
        if (seen.split(event).length > number) child.kill('SIGKILL')
      })
      expect((await resultOf(child)).code).toBeNull()
      const before = server.requests.length
      const { code, stdout } = await box.cairn('run', '--resume', ...asked, ...where)
      expect(code).toBe(0)
      expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'ended', end: 'done' })
      for (const [path, content] of FILES) expect(readFileSync(join(box.folder, 'project', path), 'utf8')).toBe(content)
      // It went on: the calls that had been made were not made again, but for one that was under way.
      expect(server.requests.length - before).toBeLessThanOrEqual(FILES.size - Math.floor(number / 4) + 3)
      expect(server.requests.map(({ problem }) => problem)).toEqual(server.requests.map(() => undefined))
      expect(server.requests.at(-1)?.text.match(/Write the files/g)).toHaveLength(1)
    } finally {
      await server.close()
      box.remove()
    }
  },
  120_000,
)
