/** Starts the gateway with its recorder and budget, and reports its state. */
import type { CacheAwarePreset, Engine, PolicyName, PriceOverride } from '@cairn/core'
import { createAccess, createBudget, notRecorded, startGateway, startRecordingThread } from '@cairn/core/node/gateway'
import type { Budget, BudgetSpan, FinishedExchange, RecordingThread, ThreadRecording } from '@cairn/core/node/gateway'
import type { Context } from '../command.ts'
import { assertOwnAddress, isLoopback } from '../dashboard/addresses.ts'
import { allowedNames } from '../mcp/http-guard.ts'
import { mcpToken, type McpToken, type TokenSource } from '../mcp/token.ts'
import { plainHttpWarning, reachableHost } from '../options/listening-options.ts'
import { sentenceOf } from '../runtime/failure.ts'
import { createGatewayReport, type GatewayReport } from './gateway-report.ts'
import { startThread } from './start-thread.ts'
import { upstreamsOf } from './upstream-option.ts'

/** What a gateway is started with. */
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
  /** The store's address; undefined keeps nothing. */
  readonly store: string | undefined
  readonly timeZone: string
  readonly prices: Readonly<Record<string, PriceOverride>>
  /** The project of `--workspace`. */
  readonly project: string | undefined
}

/** A gateway that listens. */
export interface OpenGateway {
  /** Ends what is under way, writes it, and prints the totals. */
  close(): Promise<void>
}

/** Where the gateway's token comes from. */
const TOKEN: TokenSource = { variable: 'CAIRN_GATEWAY_TOKEN', file: 'gateway-token' }

/**
 * Starts a gateway and prints where it listens; requests need a token if the setting says so or other machines can
 * reach it. `usage` tells what a budget has spent so far; without it only this run counts. `close` waits until all is
 * recorded. Rejects with `usage` if it can't listen, and as opening the store does.
 */
export const openGateway = async (
  setting: GatewaySetting,
  usage: Engine['usage'] | undefined,
  context: Context,
): Promise<OpenGateway> => {
  const { surroundings, now } = context
  const { host, project, timeZone, store } = setting
  if (!isLoopback(host)) await assertOwnAddress(host)
  const needsToken = setting.asksForToken || !isLoopback(host)
  const token = needsToken ? await mcpToken(surroundings, store !== undefined, TOKEN) : undefined
  const report = createGatewayReport(context, setting.isJson)
  const recording = await startRecordingThread({
    start: () => startThread(setting, surroundings),
    tell: (sentence) => report.trouble(sentence),
  })
  const budget =
    setting.budget === undefined
      ? undefined
      : createBudget({ ...setting.budget, timeZone, workspace: project, usage, now })
  const exchanges = followExchanges(recording, budget, report)
  const listening = startGateway({
    host,
    port: setting.port,
    upstreams: upstreamsOf(setting.upstreams),
    access: (port) => createAccess({ hostNames: allowedNames(host, port, setting.allowedHosts), token: token?.token }),
    ...(budget === undefined ? {} : { admit: () => admission(budget, exchanges, (text) => report.trouble(text)) }),
    policy: setting.policy === undefined ? undefined : recording.policy,
    exchanged: (exchange) => exchanges.take(exchange),
    now,
  })
  const gateway = await listening.catch(async (error: unknown) => {
    await recording.end()
    throw error
  })
  await tell(gateway.port, setting, token, context)
  return {
    close: async () => {
      await gateway.close()
      await exchanges.handed()
      await Promise.all([recording.end(), exchanges.written()])
      report.end()
    },
  }
}

/** Finished exchanges on their way into the store. */
interface FollowedExchanges {
  take(exchange: Promise<FinishedExchange>): void
  /** Resolves when the recording thread has all that was taken. */
  handed(): Promise<unknown>
  /** Resolves when the budget knows the bill of each. */
  billed(): Promise<unknown>
  /** Resolves when each is on disk, or has failed. */
  written(): Promise<unknown>
}

/**
 * Passes finished exchanges to the recording thread, the budget and the report, which is also told of one that could
 * not be recorded. `handed`, `billed` and `written` wait for those under way, whether or not they fail.
 */
const followExchanges = (
  recording: RecordingThread,
  budget: Budget | undefined,
  report: GatewayReport,
): FollowedExchanges => {
  const [handing, billing, writing] = [
    new Set<Promise<unknown>>(),
    new Set<Promise<unknown>>(),
    new Set<Promise<unknown>>(),
  ]
  const bill = async (handed: Promise<ThreadRecording>): Promise<void> => {
    const { billed, written } = await handed
    const fact = await billed
    if (fact !== undefined) budget?.spend(fact, written)
  }
  /** Reports an exchange once it is on disk, or that it could not be recorded. Never rejects. */
  const tellWritten = async (handed: Promise<ThreadRecording>): Promise<void> => {
    try {
      report.exchanged(await (await handed).written)
    } catch (error) {
      report.trouble(notRecorded(error))
    }
  }
  return {
    take: (exchange) => {
      const handed = exchange.then((finished) => recording.record(finished))
      keep(handing, handed)
      keep(billing, bill(handed))
      keep(writing, tellWritten(handed))
    },
    handed: () => Promise.allSettled(handing),
    billed: () => Promise.allSettled(billing),
    written: () => Promise.allSettled(writing),
  }
}

/** Keeps a promise in the set until it is settled; its failure is not unhandled. */
const keep = (all: Set<Promise<unknown>>, one: Promise<unknown>): void => {
  all.add(one)
  const over = (): boolean => all.delete(one)
  one.then(over, over)
}

/**
 * The refusal of a request that the budget does not allow; undefined if it may pass, also if the budget can't be read.
 * Waits for bills first, because a client may ask again before its last reply is billed.
 */
const admission = async (
  budget: Budget,
  exchanges: FollowedExchanges,
  trouble: (sentence: string) => void,
): ReturnType<Budget['refusal']> => {
  await exchanges.billed()
  try {
    return await budget.refusal()
  } catch (error) {
    trouble(`The budget can't be looked up, and requests pass: ${sentenceOf(error)}`)
    return undefined
  }
}

/**
 * Prints where the gateway listens, where requests go, and the token, unless that is the user's own from the variable:
 * then only the variable's name. With `--json` a document is printed as well, always with the token.
 */
const tell = async (
  port: number,
  { host, isJson, upstreams }: GatewaySetting,
  token: McpToken | undefined,
  context: Context,
): Promise<void> => {
  const { terminal, surroundings } = context
  const url = `http://${reachableHost(host)}:${port}`
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
  if (!isLoopback(host)) terminal.note(plainHttpWarning(host, 'send requests through it'))
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
