/** `cairn mcp`: serves memory and recall to agents over the Model Context Protocol. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { limitHeap } from '../runtime/heap-limit.ts'
import { LOOPBACK, allowedHosts, hostAddress, plainHttpWarning, portNumber } from '../options/listening-options.ts'
import { projectOf } from '../options/project-option.ts'
import { EVERYWHERE } from '../mcp/projects.ts'
import type { CairnMcpServer } from '../mcp/server.ts'
import type { StoreAccess } from '../mcp/store-access.ts'
import { storeName } from '../output/store-name.ts'
import packageJson from '../../package.json' with { type: 'json' }

interface McpOptions extends CommonOptions {
  readonly http?: boolean
  readonly port?: number
  readonly host?: string
  readonly allowedHost?: readonly string[]
}

const DEFAULT_PORT = 4680
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** How long closing the store may take at the end. */
const CLOSING_LIMIT_MS = 500

const HELP = `
Without --http it talks to the client that started it over standard input and
output, and ends with it. docs/mcp.md has the lines to paste for Claude Code,
VS Code, Cursor, Codex and Cline.
The project is the client's folder, or else the working folder; --workspace
overrides it, and --workspace '*' makes recall and session_context search all
projects. --incognito and --no-ltm switch memory off.

Examples:
  claude mcp add cairn -- cairn mcp
  cairn mcp --http
  cairn mcp --http --port 4100 --workspace ~/code/app
  CAIRN_MCP_TOKEN=… cairn mcp --http`

/** Declares `cairn mcp`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Serve memory and recall to agents (Model Context Protocol).')
    .option('--http', 'serve over HTTP on this machine instead of standard input')
    .option(
      '--port <port>',
      `with --http: listen on this port; 0 takes a free one (default: ${DEFAULT_PORT})`,
      portNumber,
    )
    .option('--host <address>', `with --http: listen on this address (default: ${LOOPBACK})`, hostAddress)
    .option('--allowed-host <name[:port]>', 'with --http: also answer to this name (repeatable)', allowedHosts)
    .addHelpText('after', HELP)
    .action((options: McpOptions) => runMcp(options, context))
}

/**
 * Serves over standard input and output, or over HTTP with `--http`, until the client is gone or a signal comes; then
 * it ends the process. Rejects with `usage` for options that need `--http`.
 */
const runMcp = async (options: McpOptions, context: Context): Promise<void> => {
  if (
    options.http !== true &&
    (options.port !== undefined || options.host !== undefined || options.allowedHost !== undefined)
  ) {
    throw new CairnError('usage', '--port, --host and --allowed-host go with --http.')
  }
  await limitHeap()
  // Wrong settings are an error now, not at the first call.
  const { store: setting } = await context.settings(options)
  const [{ createMcpServer }, { createStoreAccess }] = await Promise.all([
    import('../mcp/server.ts'),
    import('../mcp/store-access.ts'),
  ])
  const privacy = { incognito: options.incognito === true, longTermMemory: options.ltm !== false }
  const file = setting.value.startsWith('file:') ? setting.value.slice('file:'.length) : undefined
  const store = createStoreAccess({ open: () => context.sessionEngine(options), file: () => Promise.resolve(file) })
  if (!privacy.incognito) void sayUnknownProject(options, store, context)
  /** Makes the server of one client, over the store that all share. */
  const create = (): CairnMcpServer =>
    createMcpServer({
      version: packageJson.version,
      store,
      storeName: storeName(setting.value),
      privacy,
      options,
      context,
    })
  const closeStore = (): Promise<unknown> => Promise.race([store.close(), wait(CLOSING_LIMIT_MS)])
  if (options.http === true) return runHttp(options, privacy.incognito, create, closeStore, context)
  const { serveStdio } = await import('../mcp/stdio.ts')
  if (process.stdin.isTTY)
    context.terminal.note(
      'This talks to an MCP client over standard input; Ctrl-C ends it. To set one up: cairn mcp --help',
    )
  const isDebugging = (context.surroundings.variables['CAIRN_DEBUG'] ?? '') !== ''
  const exitCode = await serveStdio(create(), {
    input: process.stdin,
    output: process.stdout,
    report: (sentence) => context.terminal.note(sentence),
    debug: (sentence) => {
      if (isDebugging) context.terminal.note(sentence)
    },
  })
  await Promise.race([Promise.all([context.terminal.flush(), closeStore()]), wait(CLOSING_LIMIT_MS)])
  // The client is gone: nobody waits for what is still under way.
  process.exit(exitCode)
}

/**
 * Reports on standard error if neither the disk nor the store has the project of `--workspace`; the server runs
 * nevertheless. Says nothing where that can't be found out.
 */
const sayUnknownProject = async (options: McpOptions, store: StoreAccess, context: Context): Promise<void> => {
  const { workspace } = options
  if (workspace === undefined || workspace === EVERYWHERE) return
  if (existsSync(resolve(context.surroundings.folder, workspace))) return
  try {
    await store.use((engine) => projectOf(options, engine, context))
  } catch (error) {
    if (CairnError.is(error) && error.code === 'not-found')
      context.terminal.note(`${error.message} Calls that name no project fail until there is one.`)
  }
}

/**
 * Serves over HTTP and prints address and token. After a signal it closes server and store and ends the process: it
 * does not resolve. With `incognito` the token is not written to a file. Rejects with `usage` for an address that is
 * not this machine's.
 */
const runHttp = async (
  options: McpOptions,
  incognito: boolean,
  create: () => CairnMcpServer,
  closeStore: () => Promise<unknown>,
  context: Context,
): Promise<void> => {
  const { terminal } = context
  const [{ serveHttp }, { mcpToken, TOKEN_VARIABLE }, { assertOwnAddress, isLoopback }] = await Promise.all([
    import('../mcp/http.ts'),
    import('../mcp/token.ts'),
    import('../dashboard/addresses.ts'),
  ])
  const host = options.host ?? LOOPBACK
  if (!isLoopback(host)) await assertOwnAddress(host)
  const { token, file } = await mcpToken(context.surroundings, !incognito)
  const server = await serveHttp({
    host,
    port: options.port ?? DEFAULT_PORT,
    token,
    allowedHosts: options.allowedHost ?? [],
    create,
  })
  const stopped = new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
  if (options.json === true)
    await context.json({ url: server.url, port: server.port, pid: process.pid, token, tokenFile: file ?? null })
  if (!isLoopback(host)) terminal.note(plainHttpWarning(host, 'read the store'))
  terminal.note(`MCP server: ${server.url}`)
  terminal.note(
    context.surroundings.variables[TOKEN_VARIABLE] === token
      ? `Token: what ${TOKEN_VARIABLE} holds`
      : `Token: ${token}${file === undefined ? ' (of this run only)' : ` (kept in ${file})`}`,
  )
  terminal.note('Ctrl-C stops it.')
  await stopped
  await Promise.race([Promise.all([server.close(), closeStore()]), wait(CLOSING_LIMIT_MS)])
  process.exit(0)
}
