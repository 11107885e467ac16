// Trusts hooks as Codex's own `/hooks` does: its app server lists them with their hashes and writes those to its settings.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * Has Codex trust the hooks of a project, as its user would. Rejects with what Codex says.
 * @param {readonly string[]} program
 * @param {{cwd: string, env: Record<string, string>}} options
 * @returns {Promise<readonly string[]>} how far it trusts each hook now
 */
export async function trustHooks([program = '', ...words], { cwd, env }) {
  const server = spawn(program, [...words, 'app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const answers = new Map()
  let asked = 0
  createInterface({ input: server.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    if (error === undefined) answers.get(id)?.resolve(result)
    else answers.get(id)?.reject(new Error(`Codex's app server: ${error.message}`))
  })
  const ended = once(server, 'exit').then(([status]) => {
    throw new Error(`Codex's app server ended with ${status}.`)
  })
  ended.catch(() => undefined)
  const send = (message) => server.stdin.write(`${JSON.stringify(message)}\n`)
  const ask = (method, params) => {
    asked += 1
    const answer = Promise.withResolvers()
    answers.set(asked, answer)
    send({ id: asked, method, params })
    return Promise.race([answer.promise, ended])
  }
  const listHooks = async () => (await ask('hooks/list', { cwds: [cwd] })).data.flatMap(({ hooks }) => hooks)
  try {
    await ask('initialize', { clientInfo: { name: 'test', title: 'Test', version: '1' } })
    send({ method: 'initialized' })
    const hooks = await listHooks()
    const value = Object.fromEntries(hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]))
    await ask('config/batchWrite', { edits: [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }] })
    return (await listHooks()).map(({ trustStatus }) => trustStatus)
  } finally {
    server.stdin.end()
    server.kill()
  }
}
