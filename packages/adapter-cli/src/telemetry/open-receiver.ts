/** Starts the receiver of telemetry with what records it, and says how to send to it. */
import type { Engine, PriceOverride } from '@cairn/core'
import { createFileSystem, createHasher, createSystemClock } from '@cairn/core/node'
import { createAccess } from '@cairn/core/node/gateway'
import { createTelemetryRecorder, startReceiver } from '@cairn/core/node/telemetry'
import type { Context } from '../command.ts'
import { assertOwnAddress, isLoopback } from '../dashboard/addresses.ts'
import { allowedNames } from '../mcp/http-guard.ts'
import { mcpToken, type McpToken, type TokenSource } from '../mcp/token.ts'
import { plainHttpWarning, reachableHost } from '../options/listening-options.ts'
import { importEnvironment } from '../runtime/import-environment.ts'
import { createTelemetryReport } from './telemetry-report.ts'

/** What a receiver is started with. */
export interface ReceiverSetting {
  readonly host: string
  readonly port: number
  readonly allowedHosts: readonly string[]
  readonly isJson: boolean
  readonly prices: Readonly<Record<string, PriceOverride>>
  /** The project of sessions that have no transcript on this machine. */
  readonly workspace: string | undefined
}

/** A receiver that listens. */
export interface OpenReceiver {
  /** Ends what is under way, writes it, and prints the totals. */
  close(): Promise<void>
}

/** Where the receiver's token comes from. */
const TOKEN: TokenSource = { variable: 'CAIRN_OTEL_TOKEN', file: 'otel-token' }

/**
 * Starts a receiver of agents' telemetry, which always asks for a token, and prints where it listens. Rejects with `usage`
 * if it can't listen; an address other than loopback must be this machine's.
 */
export const openReceiver = async (
  setting: ReceiverSetting,
  engine: Engine,
  context: Context,
): Promise<OpenReceiver> => {
  const { host, prices, workspace } = setting
  if (!isLoopback(host)) await assertOwnAddress(host)
  const token = await mcpToken(context.surroundings, true, TOKEN)
  const report = createTelemetryReport(context, setting.isJson)
  const recorder = createTelemetryRecorder({
    store: engine.store,
    clock: createSystemClock(),
    hasher: createHasher(),
    fileSystem: createFileSystem(),
    prices,
    environment: importEnvironment(context.surroundings),
    workspace,
  })
  const receiver = await startReceiver({
    host,
    port: setting.port,
    access: (port) =>
      createAccess({
        hostNames: allowedNames(host, port, setting.allowedHosts),
        token: token.token,
        server: "Cairn's receiver",
      }),
    take: async (records) => {
      const { requests, refused } = await recorder.record(records)
      for (const request of requests) report.recorded(request)
      for (const sentence of refused) report.trouble(sentence)
      return refused
    },
    trouble: (sentence) => report.trouble(sentence),
    turnedAway: (address, why) => report.turnedAway(address, why),
  })
  await tell(receiver.port, setting, token, context)
  return {
    close: async () => {
      recorder.end()
      await receiver.close()
      report.end()
    },
  }
}

/**
 * Prints where the receiver listens, and the variables that send agents' telemetry there; a token of the user's own only by
 * its variable's name. With `--json` a document is printed as well, always with the token.
 */
const tell = async (
  port: number,
  { host, isJson }: ReceiverSetting,
  { token, file }: McpToken,
  context: Context,
): Promise<void> => {
  const { terminal } = context
  const url = `http://${reachableHost(host)}:${port}`
  if (isJson) await context.json({ event: 'listening', url, port, pid: process.pid, token })
  if (!isLoopback(host)) terminal.note(plainHttpWarning(host, 'record requests that nobody made'))
  terminal.note(`Telemetry: ${url}`)
  terminal.note('Claude Code takes these variables, Codex settings of its own (docs/telemetry.md):')
  terminal.note('  CLAUDE_CODE_ENABLE_TELEMETRY=1')
  terminal.note('  OTEL_LOGS_EXPORTER=otlp')
  terminal.note('  OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf')
  // A token of the user's own is not shown.
  terminal.note(`  OTEL_EXPORTER_OTLP_ENDPOINT=${url}/token/${file === undefined ? '$CAIRN_OTEL_TOKEN' : token}`)
  terminal.note('Ctrl-C stops it.')
}
