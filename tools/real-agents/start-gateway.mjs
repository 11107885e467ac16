// `cairn gateway` as a workstation's user starts it, and an agent's program for it.
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
export async function startGateway({ env, project }, upstream, options = []) {
  const words = ['gateway', '--json', '--port', '0', '--upstream', upstream, ...options]
  const child = spawn(process.execPath, [command, ...words], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const events = []
  createInterface({ input: child.stdout }).on('line', (line) => events.push(JSON.parse(line)))
  const told = (name) => events.filter(({ event }) => event === name)
  const { url } = await waitFor('gateway', async () => told('listening')[0])
  return {
    url,
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
