// A model on loopback for agents to talk to: it keeps what they send and answers every request with the same
// text, once with a call of a tool before it.
import { createServer } from 'node:http'
import { anthropicMessages } from './anthropic-messages.mjs'
import { sendJson } from './event-stream.mjs'
import { geminiContent } from './gemini-content.mjs'
import { openaiChat } from './openai-chat.mjs'
import { openaiResponses } from './openai-responses.mjs'

/**
 * How one API is spoken.
 * @typedef {object} Wire
 * @property {string} name
 * @property {(path: string) => boolean} accepts whether a path is one of this API's
 * @property {(body: any) => {messages: {role: string, text: string}[], tools: string[]}} read
 * @property {(response: import('node:http').ServerResponse, request: {path: string, body: any, id: string},
 *   reply: {text: string, call?: ToolCall, outputTokens: number}) => void} answer with the call, where there is one
 */

/** @typedef {{id: string, name: string, input: object}} ToolCall */

/**
 * A request that an agent sent. What no wire accepts has no messages, and was answered with 404.
 * @typedef {{wire: string | undefined, method: string, path: string, messages: {role: string, text: string}[],
 *   tools: string[]}} ModelRequest
 */

/** @type {readonly Wire[]} */
const WIRES = [anthropicMessages, openaiResponses, openaiChat, geminiContent]

/** @returns {Promise<string>} */
const readBody = async (request) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Each answer differs in its ids and its number of output tokens, so that none is taken for another's repetition.
 * Starts a server that answers as models of all known wires do; other requests get a 404, and are noted too.
 */
export async function startModelServer() {
  /** @type {ModelRequest[]} */
  const requests = []
  let text = 'Done.'
  /** @type {{tool: RegExp, input: object} | undefined} */
  let wanted
  let answered = 0

  const serve = async (request, response) => {
    const { pathname: path } = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    const content = await readBody(request)
    const wire = method === 'POST' ? WIRES.find(({ accepts }) => accepts(path)) : undefined
    if (wire === undefined) {
      requests.push({ wire: undefined, method, path, messages: [], tools: [] })
      return sendJson(response, { error: { type: 'not_found_error', message: `There is no ${path}.` } }, 404)
    }
    const body = JSON.parse(content)
    const { messages, tools } = wire.read(body)
    requests.push({ wire: wire.name, method, path, messages, tools })
    answered += 1
    const id = `${process.pid}${Date.now().toString(36)}${answered}`
    const call = nextCall(tools, id)
    wire.answer(
      response,
      { path, body, id },
      { text, outputTokens: 40 + answered, ...(call === undefined ? {} : { call }) },
    )
  }

  /** The call that is wanted, once a request offers the tool. */
  const nextCall = (tools, id) => {
    const name = tools.find((one) => wanted?.tool.test(one))
    if (wanted === undefined || name === undefined) return undefined
    const { input } = wanted
    wanted = undefined
    return { id: `call_${id}`, name, input }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => {
      console.error(`The model server could not answer ${request.method} ${request.url}: ${error.stack}`)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())

  return {
    origin: `http://127.0.0.1:${port}`,
    /** All requests so far, oldest first. */
    requests,
    /** What the model answers from now on, after it has called a tool, where one is named. */
    answerWith: (next, call) => {
      text = next
      wanted = call
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
