/** `cairn otel`: a receiver for the telemetry of agents. */
import type { CommonOptions, Context, Define } from '../command.ts'
import { LOOPBACK, allowedHosts, hostAddress, portNumber } from '../options/listening-options.ts'
import { catchSignals } from '../runtime/catch-signals.ts'

interface TelemetryOptions extends CommonOptions {
  readonly port?: number
  readonly host?: string
  readonly allowedHost?: readonly string[]
}

/** The port of the protocol. */
const DEFAULT_PORT = 4318

const HELP = `
Claude Code and Codex can report what each request used (docs/telemetry.md); on
start this prints the settings they need. It stores session, model, tokens, cost
and time of each request, but no text. A request that an import or the gateway
also finds counts once. Every sender needs the token, which CAIRN_OTEL_TOKEN
sets.

Examples:
  cairn otel
  cairn otel --port 0 --json
  cairn otel --workspace ~/code/app`

/** Declares `cairn otel`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Receive what agents report about their requests (OpenTelemetry over HTTP).')
    .option('--port <port>', `listen on this port; 0 takes a free one (default: ${DEFAULT_PORT})`, portNumber)
    .option('--host <address>', `listen on this address (default: ${LOOPBACK})`, hostAddress)
    .option('--allowed-host <name[:port]>', 'also answer to this name (repeatable)', allowedHosts)
    .option('--json', 'print one JSON document per line for each request')
    .addHelpText('after', HELP)
    .action((options: TelemetryOptions) => runReceiver(options, context))
}

/**
 * Starts the receiver and runs it until a signal, then ends the process. Rejects with `usage` if the port is taken or
 * the address is not this machine's.
 */
const runReceiver = async (options: TelemetryOptions, context: Context): Promise<void> => {
  const settings = await context.settings(options)
  const engine = await context.engine(options)
  const workspace = await context.workspace(options)
  const { openReceiver } = await import('../telemetry/open-receiver.ts')
  const signals = catchSignals()
  const receiver = await openReceiver(
    {
      host: options.host ?? LOOPBACK,
      port: options.port ?? DEFAULT_PORT,
      allowedHosts: options.allowedHost ?? [],
      isJson: options.json === true,
      prices: settings.prices.value,
      workspace,
    },
    engine,
    context,
  )
  await signals.close(
    () => receiver.close(),
    () => Promise.all([context.terminal.flush(), engine.close()]),
  )
}
