/** Where telemetry is sent, and how: OpenTelemetry's own variables, and what a caller says instead of them. */
import { CairnError } from '../../errors.ts'

/** How an export is written. */
export const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'] as const
export type OtlpProtocol = (typeof OTLP_PROTOCOLS)[number]

/** Where one of the two kinds of telemetry goes, and how. */
export interface SignalDestination {
  readonly url: string
  readonly protocol: OtlpProtocol
  /** How long one export may take, with what is tried again, ms. */
  readonly timeoutMs: number
}

export interface Destination {
  readonly traces: SignalDestination
  readonly metrics: SignalDestination
  /** Beside those of the environment, by name. */
  readonly headers: Readonly<Record<string, string>>
  /** Each export of metrics tells what is new since the one before it; else all that was ever sent. */
  readonly isDelta: boolean
}

export interface DestinationInput {
  /** A collector's address, without `v1/traces`; undefined: the environment's. */
  readonly endpoint: string | undefined
  /** The option that names one, for sentences. */
  readonly option: '--endpoint' | '--otel'
  readonly protocol: OtlpProtocol | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string | undefined>>
}

type Signal = 'traces' | 'metrics'

/** Long enough for a collector that says to come again in half a minute. */
const TIMEOUT_MS = 60_000
/** Delta suits a histogram under both. */
const DELTA_PREFERENCES = new Set(['delta', 'lowmemory'])

/**
 * Where traces and metrics are sent, and how: by the options, else by OpenTelemetry's variables.
 * @throws CairnError `usage` where no address is named, or what is named can't be used
 */
export const destinationOf = (input: DestinationInput): Destination => ({
  traces: signalOf('traces', input),
  metrics: signalOf('metrics', input),
  headers: input.headers,
  isDelta: DELTA_PREFERENCES.has(
    (valueOf(input, 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE') ?? '').toLowerCase(),
  ),
})

/** A variable, trimmed; undefined for one that is missing or blank. */
const valueOf = ({ variables }: Pick<DestinationInput, 'variables'>, name: string): string | undefined => {
  const value = variables[name]?.trim()
  return value === '' ? undefined : value
}

/**
 * Where one signal is sent, from options, then its own variables, then the common ones. `v1/<signal>` is added to an
 * address, but not to that of the signal's own variable, which is taken unchecked. A timeout that is no number above 0
 * counts as not set: a minute.
 * @throws CairnError `usage` if no address is set, or the common one or the protocol is wrong
 */
const signalOf = (signal: Signal, input: DestinationInput): SignalDestination => {
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}`
  const exact = input.endpoint === undefined ? valueOf(input, `${own}_ENDPOINT`) : undefined
  const base = input.endpoint ?? valueOf(input, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  if (exact === undefined && base === undefined)
    throw new CairnError(
      'usage',
      `Where is it sent? Name a collector with ${input.option} http://127.0.0.1:4318, or in OTEL_EXPORTER_OTLP_ENDPOINT.`,
    )
  const protocol = input.protocol ?? valueOf(input, `${own}_PROTOCOL`) ?? valueOf(input, 'OTEL_EXPORTER_OTLP_PROTOCOL')
  const timeout = valueOf(input, `${own}_TIMEOUT`) ?? valueOf(input, 'OTEL_EXPORTER_OTLP_TIMEOUT')
  return {
    url: exact ?? appended(base ?? '', `v1/${signal}`),
    protocol: protocolNamed(protocol ?? OTLP_PROTOCOLS[0]),
    timeoutMs: Math.max(0, Number(timeout)) || TIMEOUT_MS,
  }
}

/** The protocol of that name, as the environment variable has it. @throws CairnError `usage` if it is not known */
const protocolNamed = (name: string): OtlpProtocol => {
  const found = OTLP_PROTOCOLS.find((protocol) => protocol === name)
  if (found === undefined)
    throw new CairnError(
      'usage',
      `OTEL_EXPORTER_OTLP_PROTOCOL is not one that is sent: ${OTLP_PROTOCOLS.join(' or ')}, not gRPC (a collector's HTTP port is mostly 4318).`,
    )
  return found
}

/** The address with a path put behind its own; query and hash stay. Throws as {@link httpUrl} does. */
const appended = (base: string, path: string): string => {
  const url = httpUrl(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url.href
}

/** The text as an address. @throws CairnError `usage` if it is no address of http or https */
const httpUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new CairnError('usage', 'The address of the collector is none of http:// or https://.')
  return url
}

/** The server that telemetry is sent to, without what may be a key: `http://127.0.0.1:4318`. */
export const serverOf = ({ url }: SignalDestination): string => httpUrl(url).origin
