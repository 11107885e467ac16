/** Starts the gateway with what records its exchanges, keeps its budget, and says how it stands. */
import type { CacheAwarePreset, Engine, PolicyName, PriceOverride } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import {
  createAccess,
  createBudget,
  createRecorder,
  createRequestPolicy,
  notRecorded,
  startGateway,
} from '@cairn/core/node/gateway'
import type { BudgetSpan, FinishedExchange, Recorder, RequestPolicy } from '@cairn/core/node/gateway'
import type { Context } from '../command.ts'
import { assertOwnAddress, isLoopback } from '../dashboard/addresses.ts'
import { allowedNames } from '../mcp/http-guard.ts'
import { mcpToken, type McpToken, type TokenSource } from '../mcp/token.ts'
import { plainHttpWarning } from '../options/listening-options.ts'
import { importEnvironment } from '../runtime/import-environment.ts'
import { sentenceOf } from '../runtime/failure.ts'
import { createGatewayReport, type GatewayReport } from './gateway-report.ts'
import { upstreamsOf } from './upstream-option.ts'

export interface GatewaySetting {
  readonly host: string
  readonly port: number
  readonly allowedHosts: readonly string[]
  /** Also on loopback. */
  readonly asksForToken: boolean
  /** As `--upstream` has them. */
  readonly upstreams: readonly string[]
  readonly budget?: { readonly limitUsd: number; readonly span: BudgetSpan }
  /** Without one bytes pass untouched. */
  readonly policy?: { readonly name: PolicyName; readonly preset: CacheAwarePreset | undefined }
  readonly isJson: boolean
  readonly timeZone: string
  readonly prices: Readonly<Record<string, PriceOverride>>
  /** The project of `--workspace`. */
  readonly project: string | undefined
}

export interface OpenGateway {
  /** Ends what is under way, writes it, and prints the totals. */
  close(): Promise<void>
}

const TOKEN: TokenSource = { variable: 'CAIRN_GATEWAY_TOKEN', file: 'gateway-token' }

/** Listens, and prints where. `engine`: undefined keeps nothing. Rejects with `usage` where it can't listen. */
export const openGateway = async (
  setting: GatewaySetting,
  engine: Engine | undefined,
  context: Context,
): Promise<OpenGateway> => {
  const { surroundings, now } = context
  const { host, project, timeZone } = setting
  if (!isLoopback(host)) await assertOwnAddress(host)
  const needsToken = setting.asksForToken || !isLoopback(host)
  const token = needsToken ? await mcpToken(surroundings, engine !== undefined, TOKEN) : undefined
  const report = createGatewayReport(context, setting.isJson)
  const recorder = recorderFor(setting, engine, context)
  const budget =
    setting.budget === undefined
      ? undefined
      : createBudget({ ...setting.budget, timeZone, workspace: project, usage: engine?.usage, now })
  const writing = new Set<Promise<unknown>>()
  const exchanged = async (finished: Promise<FinishedExchange>): Promise<void> => {
    try {
      const { bill, written } = recorder.record(await finished)
      if (bill !== undefined) budget?.spend(bill, written)
      report.exchanged(await written)
    } catch (error) {
      report.trouble(notRecorded(error))
    }
  }
  const gateway = await startGateway({
    host,
    port: setting.port,
    upstreams: upstreamsOf(setting.upstreams),
    access: (port) => createAccess({ hostNames: allowedNames(host, port, setting.allowedHosts), token: token?.token }),
    ...(budget === undefined
      ? {}
      : {
          admit: () =>
            budget.refusal().catch((error: unknown) => {
              report.trouble(`The budget can't be looked up, and requests pass: ${sentenceOf(error)}`)
              return undefined
            }),
        }),
    policy: policyFor(setting, engine, recorder, report, context),
    exchanged: (finished) => {
      const writes = exchanged(finished)
      writing.add(writes)
      void writes.finally(() => writing.delete(writes))
    },
    now,
  })
  await tell(gateway.port, setting, token, context)
  return {
    close: async () => {
      await gateway.close()
      await Promise.all([recorder.end(), ...writing])
      report.end()
    },
  }
}

const recorderFor = (
  { prices, project }: GatewaySetting,
  engine: Engine | undefined,
  { surroundings }: Context,
): Recorder => {
  const clock = createSystemClock()
  return createRecorder({
    store: engine?.store,
    clock,
    hasher: createHasher(),
    ids: createIds(clock),
    fileSystem: createFileSystem(),
    prices,
    environment: importEnvironment(surroundings),
    folder: project ?? surroundings.folder,
  })
}

const policyFor = (
  { policy, prices }: GatewaySetting,
  engine: Engine | undefined,
  recorder: Recorder,
  report: GatewayReport,
  { surroundings, now }: Context,
): RequestPolicy | undefined =>
  policy === undefined || engine === undefined
    ? undefined
    : createRequestPolicy({
        policy: policy.name,
        preset: policy.preset,
        recorder,
        store: engine.store,
        hasher: createHasher(),
        prices,
        importTranscript: async (agent, path) => {
          await engine.imports.run({ from: [path], agent, environment: importEnvironment(surroundings) })
        },
        tell: (sentence) => report.trouble(sentence),
        now,
      })

/** Prints where it listens, what goes where, and the token. */
const tell = async (
  port: number,
  { host, isJson, upstreams }: GatewaySetting,
  token: McpToken | undefined,
  context: Context,
): Promise<void> => {
  const { terminal, surroundings } = context
  const url = `http://${reachable(host)}:${port}`
  const targets = upstreamsOf(upstreams)
  if (isJson)
    await context.json({
      event: 'listening',
      url,
      port,
      pid: process.pid,
      token: token?.token ?? null,
      upstreams: Object.fromEntries(Object.entries(targets).map(([wire, target]) => [wire, target.href])),
    })
  if (!isLoopback(host)) terminal.note(plainHttpWarning(host))
  terminal.note(`Gateway: ${url}`)
  terminal.note(`  Anthropic  ANTHROPIC_BASE_URL=${url}   to ${targets.anthropic.href}`)
  terminal.note(`  OpenAI     OPENAI_BASE_URL=${url}/v1   to ${targets.responses.href}`)
  if (token !== undefined)
    terminal.note(
      surroundings.variables[TOKEN.variable] === token.token
        ? `Token: what ${TOKEN.variable} holds`
        : `Token: ${token.token}${token.file === undefined ? ' (of this run only)' : ` (kept in ${token.file})`}`,
    )
  terminal.note('Ctrl-C stops it.')
}

/** The host as an address that a client on this machine can reach. */
const reachable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
