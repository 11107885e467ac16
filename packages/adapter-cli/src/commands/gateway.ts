/** `cairn gateway`: a proxy between agents and their providers. */
import { CairnError, POLICY_NAMES, PRESET_NAMES } from '@cairn/core'
import type { CacheAwarePreset, PolicyName } from '@cairn/core'
import type { BudgetSpan } from '@cairn/core/node/gateway'
import type { Context, Define } from '../command.ts'
import { usableStore } from '../config/settings.ts'
import { limitHeap } from '../runtime/heap-limit.ts'
import { catchSignals } from '../runtime/catch-signals.ts'
import { upstreamOption } from '../gateway/upstream-option.ts'
import { LOOPBACK, allowedHosts, hostAddress, portNumber } from '../options/listening-options.ts'
import { OTEL_OPTION, startLiveExport, type LiveExportOptions } from '../telemetry/live-export.ts'
import { amountInUsd, oneOf } from '../options/option-values.ts'

interface GatewayOptions extends LiveExportOptions {
  readonly port?: number
  readonly host?: string
  readonly allowedHost?: readonly string[]
  readonly token?: boolean
  readonly upstream?: readonly string[]
  readonly budget?: number
  readonly budgetPer?: BudgetSpan
  readonly policy?: PolicyName
  readonly preset?: CacheAwarePreset
}

const DEFAULT_PORT = 4681
const SPANS = ['run', 'day', 'month'] as const

const HELP = `
Point an agent at it instead of its provider (docs/gateway.md):
  ANTHROPIC_BASE_URL=http://127.0.0.1:${DEFAULT_PORT} claude
Requests pass through unchanged, and a copy is recorded: sessions, messages,
tokens by class, cost, time, failures. Keys are passed on and never stored.
A request that an import also finds counts once.
--upstream takes one address for all APIs, or anthropic=, openai=, responses= or
chat= followed by an address. --policy removes what is not worth sending again
(docs/context-policies.md); it stays in the session, where the agent's recall
tool finds it. Without --policy not a byte is changed.
Other machines need the token (set by CAIRN_GATEWAY_TOKEN) in the base address:
http://<host>:4681/token/<token>

Examples:
  cairn gateway
  cairn gateway --budget 20 --budget-per day
  cairn gateway --policy cache-aware
  cairn gateway --upstream openai=https://openrouter.ai/api/v1
  cairn gateway --port 4100 --workspace ~/code/app --json
  cairn gateway --otel http://127.0.0.1:4318
  cairn gateway --incognito --budget 5`

/** Declares `cairn gateway`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Record and limit what agents send to their providers.')
    .option('--port <port>', `listen on this port; 0 takes a free one (default: ${DEFAULT_PORT})`, portNumber)
    .option('--host <address>', `listen on this address (default: ${LOOPBACK})`, hostAddress)
    .option('--allowed-host <name[:port]>', 'also answer to this name (repeatable)', allowedHosts)
    .option('--token', 'require a token, as it always does beyond loopback')
    .option('--upstream <[api=]url>', 'where requests go (repeatable; default: Anthropic, OpenAI)', upstreamOption)
    .option('--budget <usd>', 'send no more requests once this much is spent', amountInUsd('--budget'))
    .option(
      '--budget-per <span>',
      `what the budget covers: ${SPANS.join(', ')} (default: month)`,
      oneOf('--budget-per', SPANS),
    )
    .option('--policy <name>', `what requests may contain: ${POLICY_NAMES.join(', ')}`, oneOf('--policy', POLICY_NAMES))
    .option(
      '--preset <name>',
      `of cache-aware: ${PRESET_NAMES.join(', ')} (default: safe)`,
      oneOf('--preset', PRESET_NAMES),
    )
    .option(...OTEL_OPTION)
    .option('--json', 'print one JSON document per line for each request')
    .addHelpText('after', HELP)
    .action((options: GatewayOptions) => runGateway(options, context))
}

/**
 * Starts the gateway and runs it until a signal, then closes it and ends the process with 0: it does not resolve.
 * Rejects with `usage` for options that can't be combined and for a store that the user does not trust.
 */
const runGateway = async (options: GatewayOptions, context: Context): Promise<void> => {
  assertOptions(options)
  await limitHeap()
  const settings = await context.settings(options)
  const { openGateway } = await import('../gateway/open-gateway.ts')
  const store = options.incognito === true ? undefined : usableStore(settings)
  // What was spent is looked up here; all else of the store is the recording thread's.
  const hasSpending = store !== undefined && options.budget !== undefined && options.budgetPer !== 'run'
  const engine = hasSpending ? await context.engine(options) : undefined
  const project = await context.workspace(options)
  const sending = await startLiveExport(options, context, 'cairn gateway')
  const signals = catchSignals()
  const gateway = await openGateway(
    {
      host: options.host ?? LOOPBACK,
      port: options.port ?? DEFAULT_PORT,
      allowedHosts: options.allowedHost ?? [],
      asksForToken: options.token === true,
      upstreams: options.upstream ?? [],
      ...(options.budget === undefined
        ? {}
        : { budget: { limitUsd: options.budget, span: options.budgetPer ?? 'month' } }),
      ...(options.policy === undefined || options.policy === 'none'
        ? {}
        : { policy: { name: options.policy, preset: options.preset } }),
      isJson: options.json === true,
      store,
      timeZone: settings.timezone.value,
      prices: settings.prices.value,
      project,
    },
    engine?.usage,
    context,
  )
  await signals.close(
    () => gateway.close(),
    async () => sending?.end(),
    () => Promise.all([context.terminal.flush(), engine?.close()]),
  )
}

/**
 * Does nothing if the options can be combined. Refused are `--budget-per` without `--budget`, `--preset` without the
 * policy `cache-aware`, and `--policy` with `--incognito`.
 * @throws CairnError `usage` otherwise
 */
const assertOptions = (options: GatewayOptions): void => {
  if (options.budgetPer !== undefined && options.budget === undefined)
    throw new CairnError('usage', '--budget-per goes with --budget.')
  if (options.preset !== undefined && options.policy !== 'cache-aware')
    throw new CairnError('usage', '--preset goes with --policy cache-aware.')
  if (options.policy !== undefined && options.incognito === true)
    throw new CairnError(
      'usage',
      '--policy keeps what leaves a request, and --incognito keeps nothing: give one of them.',
    )
}
