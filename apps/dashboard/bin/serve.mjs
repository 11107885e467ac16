#!/usr/bin/env node
// Serves the built dashboard. Started by `cairn dashboard` as a child process, with CAIRN_STORE, CAIRN_DASHBOARD_TOKEN,
// PORT (0 takes a free one), HOSTNAME and perhaps CAIRN_DASHBOARD_HOSTS, CAIRN_DASHBOARD_WRITES (on: pages may change
// what is remembered) and CAIRN_DASHBOARD_LTM (off: they know nothing of it) in its environment. With CAIRN_DASHBOARD_TEAM,
// a file that says who may see what, it needs no token, and can only be read (docs/team-dashboard.md). Prints one line on
// stdout, `ready <url>`, when it listens; everything else goes to stderr. Ends on SIGTERM and SIGINT.
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

/** Says why on standard error, and ends the process with 1. */
const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const folder = fileURLToPath(new URL('..', import.meta.url))
const hostname = process.env.HOSTNAME || '127.0.0.1'
const wantedPort = Number(process.env.PORT || 0)

const isTeam = Boolean(process.env.CAIRN_DASHBOARD_TEAM)
if (!isTeam && !process.env.CAIRN_DASHBOARD_TOKEN)
  fail('The dashboard does not start without a token: set CAIRN_DASHBOARD_TOKEN, or use "cairn dashboard".')
if (!process.env.CAIRN_STORE)
  fail(
    'The dashboard does not know its store: set CAIRN_STORE to file:<path> or postgresql://…, or use "cairn dashboard".',
  )
if (!Number.isInteger(wantedPort) || wantedPort < 0 || wantedPort > 65535)
  fail(`PORT is no port: "${process.env.PORT}".`)
if (!existsSync(new URL('../.next/BUILD_ID', import.meta.url)))
  fail('The dashboard has not been built yet: run "npx nx build @cairn/dashboard".')

process.env.NODE_ENV = 'production'
process.env.NEXT_TELEMETRY_DISABLED = '1'
// Stdout is for the one line that says where it listens.
console.log = console.error
console.info = console.error

const { default: next } = await import('next')

/** Where a server that listens everywhere is reached from its own machine. */
const OWN = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * Whether Next may see the address: it takes one with broken escapes for its own fault, and answers one with another
 * host by sending there. An address with a host is refused in a team's dashboard alone.
 */
const isAddress = (url = '/') => {
  if (isTeam && !url.startsWith('/')) return false
  try {
    decodeURIComponent(url.split('?', 1)[0])
    return true
  } catch {
    return false
  }
}

/** What is read needs no more than where it goes. */
const METHODS = ['GET', 'HEAD']
/** Where pages change what is remembered, if they may; src/security/guard.ts decides about each request. */
const WRITES = '/api/trpc/memory.'
const isWritable = !isTeam && process.env.CAIRN_DASHBOARD_WRITES === 'on'
/** A note of a million characters, escaped in JSON. */
const MOST_BYTES = 8 * 1024 * 1024
/** Whether a request brings a body, by its headers. */
const hasBody = ({ headers }) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0

/** Whether a request changes something, where that is possible. */
const isWrite = ({ method, url }) => isWritable && method === 'POST' && url.startsWith(WRITES)

/** What a request that changes something brings is of a known size; undefined, or the refusal's status and sentence. */
const contentFault = ({ headers }) => {
  const length = headers['content-length']
  if (headers['transfer-encoding'] !== undefined || length === undefined)
    return [411, 'How long the content is has to be said.']
  return Number(length) <= MOST_BYTES ? undefined : [413, 'That is too much at once; nothing was changed.']
}

/** For what Next must not see, or would answer as if it were its own fault. */
const refuse = (response, status, sentence, headers = {}) => {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    // What is left of the request is not waited for.
    Connection: 'close',
    ...headers,
  })
  response.end(`${sentence}\n`)
}

/** A team's dashboard writes such attempts down; src/security/team/start.ts listens. */
const noteRefusal = ({ url, headers }) =>
  globalThis[Symbol.for('cairn.dashboard.write-refused')]?.(url.split('?', 1)[0], {
    get: (name) => headers[name]?.toString() ?? null,
  })

/** Whether a request names one host at most: of two, this server and a proxy before it may go by different ones. */
const hasOneHost = ({ rawHeaders }) =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length <= 1

let handle
const server = createServer((request, response) => {
  if (!hasOneHost(request)) return refuse(response, 400, 'A request names one host, and this one names several.')
  if (isWrite(request)) {
    const fault = contentFault(request)
    if (fault !== undefined) return refuse(response, ...fault)
  } else {
    const isRead = METHODS.includes(request.method)
    if (!isRead || hasBody(request)) noteRefusal(request)
    if (!isRead) return refuse(response, 405, 'The dashboard can only be read.', { Allow: METHODS.join(', ') })
    if (hasBody(request)) return refuse(response, 413, 'The dashboard takes no content.')
  }
  if (!isAddress(request.url)) return refuse(response, 400, 'This is no address.')
  handle(request, response).catch((error) => {
    console.error(error)
    if (!response.headersSent) response.writeHead(500)
    response.end()
  })
})

// Whoever started the server follows transcripts beside it, and says how that stands; src/features/live reads it there.
process.on('message', (message) => {
  if (message?.type === 'watch') globalThis[Symbol.for('cairn.dashboard.watch')] = message.status
  if (message?.type === 'settings') answered(message.id, message.answer)
})

/** Questions for settings that are not answered yet, by their number. */
const questions = new Map()
let asked = 0
/** No settings file takes longer to read; ms. */
const PATIENCE_MS = 5_000

/** Gives a question its answer; one that is unknown or was given up is ignored. */
const answered = (id, answer) => {
  const question = questions.get(id)
  if (question === undefined) return
  questions.delete(id)
  clearTimeout(question.timer)
  question.resolve(answer)
}

// They are read by whoever started the server, again at each question; src/store/settings-in-force.ts asks here. Undefined
// where nobody answers.
globalThis[Symbol.for('cairn.dashboard.settings')] = () =>
  new Promise((resolve) => {
    if (!process.connected) return resolve(undefined)
    const id = ++asked
    questions.set(id, { resolve, timer: setTimeout(() => answered(id, undefined), PATIENCE_MS) })
    process.send({ type: 'settings', id }, (error) => error && answered(id, undefined))
  })

/** Ends the server and its connections, closes the store, and then the process. */
const stop = async () => {
  server.close()
  server.closeAllConnections()
  try {
    // Left there by src/store/dashboard-store.ts, whose code lives in Next's bundle.
    await globalThis[Symbol.for('cairn.dashboard.store')]?.close()
  } finally {
    process.exit(0)
  }
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
// A starter that opened a channel (`stdio: [..., 'ipc']`) takes the server along when it dies.
process.once('disconnect', stop)

server.once('error', (error) => {
  if (error.code === 'EADDRINUSE')
    fail(`Port ${wantedPort} of ${hostname} is in use; choose another one, or 0 for any.`)
  if (error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL')
    fail(`${hostname} is no address of this machine; the dashboard can't listen on it.`)
  if (error.code === 'EACCES')
    fail(`Port ${wantedPort} of ${hostname} is kept for the system; choose one from 1024 on, or 0 for any.`)
  fail(`The dashboard can't listen on ${hostname}:${wantedPort}: ${error.message}.`)
})
server.listen(wantedPort, hostname, async () => {
  const { port } = server.address()
  // The guard compares `Host` with the port that it really is.
  process.env.PORT = String(port)
  process.env.HOSTNAME = hostname
  const app = next({ dev: false, dir: folder, hostname, port, quiet: true, httpServer: server })
  handle = app.getRequestHandler()
  try {
    await app.prepare()
    // Next goes on where its hook failed, and would answer nothing but 500.
    if (isTeam && globalThis[Symbol.for('cairn.dashboard.team')] === undefined)
      throw new Error(
        globalThis[Symbol.for('cairn.dashboard.team-fault')] ??
          `The team's dashboard can't start with the settings in ${process.env.CAIRN_DASHBOARD_TEAM}.`,
      )
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
  const reached = OWN[hostname] ?? hostname
  process.stdout.write(`ready http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/\n`)
})
