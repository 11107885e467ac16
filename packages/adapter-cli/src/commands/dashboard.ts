/** `cairn dashboard`: serves the dashboard on this machine until it is stopped. */
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { findDashboard, prepareDashboard } from '../dashboard/location.ts'
import { openBrowser } from '../dashboard/browser.ts'
import { startDashboard } from '../dashboard/server.ts'
import { wholeNumber } from '../option-values.ts'

interface DashboardOptions extends CommonOptions {
  readonly port?: number
  readonly host: string
  readonly open: boolean
}

const HIGHEST_PORT = 65_535

const HELP = `
The address holds a random token; without it nothing is shown. It listens on
this machine only, unless --host says otherwise. Ctrl-C stops it.

Examples:
  cairn dashboard
  cairn dashboard --port 4100 --no-open
  cairn dashboard --store postgresql://cairn@db.example/cairn`

const portNumber = (text: string): number => {
  const port = wholeNumber('--port')(text)
  if (port > HIGHEST_PORT) throw new CairnError('usage', `--port takes a number up to ${HIGHEST_PORT}, not '${text}'.`)
  return port
}

export const define: Define = (command, context) => {
  command
    .description('Show usage and sessions in the browser.')
    .option('--port <port>', 'listen on this port (default: a free one)', portNumber)
    .option('--host <address>', 'listen on this address', '127.0.0.1')
    .option('--no-open', 'do not open the browser')
    .addHelpText('after', HELP)
    .action((options: DashboardOptions) => runDashboard(options, context))
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host)

const runDashboard = async (options: DashboardOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const settings = await context.settings(options)
  // A store that can't be opened is better named here than in the browser; migrations run here, too.
  await (await context.readEngine(options)).close()
  const dashboard = findDashboard()
  await prepareDashboard(dashboard, terminal)
  if (!isLoopback(options.host)) terminal.note(`Whoever can reach ${options.host} and has the address with its token can read the store.`)
  const server = await startDashboard(dashboard, {
    store: settings.store.value,
    host: options.host,
    port: options.port ?? settings['dashboard.port'].value,
    variables: context.surroundings.variables,
  })
  if (options.json === true) await context.json({ url: server.url, port: server.port, pid: server.pid })
  else await terminal.line(`Dashboard: ${server.url}\nCtrl-C stops it.`)
  if (options.open && settings['dashboard.open'].value && terminal.isOutputTerminal) openBrowser(server.url)
  const code = await server.ended
  if (code !== 0) throw new CairnError('read-failed', `The dashboard ended by itself (exit code ${code}).`)
}
