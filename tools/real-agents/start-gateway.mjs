// `cairn gateway` and `cairn otel` as a workstation's user starts them, and an agent's program for them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { installAgent } from './install-agent.mjs'
import { waitFor } from './run-program.mjs'

const command = fileURLToPath(new URL('../../packages/adapter-cli/bin/cairn.js', import.meta.url))

/**
 * Starts a gateway on a free port in front of a model.
 * @param {import('./workstation.mjs').Workstation} workstation
 * @param {string} upstream
 * @param {readonly string[]} [options] of `cairn gateway`
 */
export const startGateway = (workstation, upstream, options = []) =>
  startServer(workstation, ['gateway', '--upstream', upstream, ...options])

/**
 * Starts a command that tells with --json where it listens, on a free port.
 * @param {import('./workstation.mjs').Workstation} workstation
 * @param {readonly string[]} words the command with its options
 */
export async function startServer({ env, project }, [name, ...options]) {
  const child = spawn(process.execPath, [command, name, '--json', '--port', '0', ...options], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const events = []
  createInterface({ input: child.stdout }).on('line', (line) => events.push(JSON.parse(line)))
  const told = (event) => events.filter((one) => one.event === event)
  const { url, token } = await waitFor(name, async () => told('listening')[0])
  return {
    url,
    token,
    told,
    stop: async () => {
      child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** An agent's program; undefined, with a line that says why, where the agent can't be had. */
export const programOf = (agent) => {
  try {
    return agent.program(installAgent(agent))
  } catch (error) {
    console.log(`skipped: ${agent.title} ${agent.version} can't be installed: ${String(error).split('\n')[0]}`)
    return undefined
  }
}
