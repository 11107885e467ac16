// An agent that is installed, pointed at the tests' model and set up with Cairn, on a workstation of its own.
import assert from 'node:assert/strict'
import { installAgent } from './install-agent.mjs'
import { startModelServer } from './server/model-server.mjs'
import { createWorkstation } from './workstation.mjs'

/** @typedef {import('./server/model-server.mjs').ModelRequest} ModelRequest */

/** A word that stands nowhere else. 14 small letters, at random. */
export const newWord = () =>
  Array.from({ length: 14 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')

/**
 * Rejects where the agent can't be installed or started here, with what npm or the agent says. Starts an installed
 * agent on a computer of its own, set up with Cairn and a model's server.
 * @param {import('./agents/index.mjs').RealAgent} agent
 */
export async function startAgent(agent) {
  const program = agent.program(installAgent(agent))
  const server = await startModelServer()
  const workstation = await createWorkstation(agent.name)
  const { cairnJson, done, env, project, write } = workstation
  const close = async () => {
    await server.close()
    await workstation.remove()
  }
  let noImport
  try {
    const version = await done([...program, '--version'])
    assert.ok(version.includes(agent.version), `${agent.title} says that it is ${version}`)
    for (const [path, text] of Object.entries(agent.settings(server.origin))) write(path, text)
    const { stdout, status, stderr } = await workstation.cairn('setup', agent.name, '--yes')
    assert.equal(status, 0, `cairn setup: ${stderr}${stdout}`)
    noImport = await whyNoImport(workstation, agent)
  } catch (error) {
    await close()
    throw error
  }

  /** Runs the agent to its end, which must be a good one. */
  const runAgent = async (words, reply, { variables = {}, call } = {}) => {
    const before = server.requests.length
    server.answerWith(reply, call)
    const output = await done([...program, ...words], { ...agent.variables(server.origin), ...variables })
    return { output, all: server.requests.slice(before) }
  }
  const turnOf = async (words, prompt, reply, options) => {
    const { output, all } = await runAgent(words, reply, options)
    const requests = all.filter(({ wire }) => wire !== undefined)
    assert.deepEqual(rolesWith(requests, prompt), ['user'], JSON.stringify(all))
    assert.ok(output.includes(reply), output)
    return requests
  }

  return {
    workstation,
    close,
    /** Why its transcripts can't be imported; undefined where they can. */
    noImport,
    /**
     * Starts the agent again for one turn.
     * @param {string} prompt
     * @param {string} reply what the model answers
     * @param {{variables?: Record<string, string>, call?: {tool: RegExp, input: object}}} [options] more variables of the
     *   environment; a tool that the model calls before it answers
     * @returns {Promise<ModelRequest[]>} what the model was sent for it
     */
    takeTurn: (prompt, reply, options) => turnOf(agent.turn(prompt), prompt, reply, options),
    /** Goes on with the last session. */
    takeNextTurn: (prompt, reply) => turnOf(agent.nextTurn?.(prompt) ?? [], prompt, reply),
    /** Has it compact the last session; the model answers with the summary. */
    compact: (summary) => runAgent(agent.nextTurn?.('/compact') ?? [], summary),
    /** Does what setup leaves to the user. */
    trust: async () => agent.trust?.(program, { cwd: project, env }),
    /** @returns {Promise<any[]>} the sessions in the store */
    sessions: async () => (await cairnJson('session', 'list')).sessions,
    /** @returns {Promise<any[]>} the messages in the store that have a word */
    recall: async (word) => (await cairnJson('recall', word)).results,
  }
}

/**
 * Why the agent's sessions can't be imported; undefined if they can. Asked before its first turn, so that nothing is
 * imported by asking.
 */
const whyNoImport = async ({ cairn }, { name }) => {
  const { stdout } = await cairn('import', '--agent', name, '--json')
  const { error } = JSON.parse(stdout)
  if (error === undefined || error.code === 'unsupported') return error?.message
  throw new Error(`cairn import: ${error.message}`)
}

/**
 * The roles of messages that hold a text. Each once.
 * @param {readonly ModelRequest[]} requests
 * @param {string} text
 * @returns {string[]}
 */
export const rolesWith = (requests, text) => [
  ...new Set(
    requests.flatMap(({ messages }) =>
      messages.flatMap((message) => (message.text.includes(text) ? [message.role] : [])),
    ),
  ),
]
