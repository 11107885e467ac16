/** Sends spans and histograms by OpenTelemetry's own exporters, which try again where a collector asks for it. */
import { connect } from 'node:net'
import { diag, DiagLogLevel, SpanKind, SpanStatusCode, ValueType, type HrTime } from '@opentelemetry/api'
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
  type Resource,
} from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { CairnError, messageOf } from '../../errors.ts'
import { countOf, isJsonObject, parseJson, stringOf } from '../../json.ts'
import { codeOf } from '../system-reason.ts'
import { serverOf, type Destination, type OtlpProtocol, type SignalDestination } from './destination.ts'
import { METRICS, type Histograms } from './histogram.ts'
import type { Span } from './span.ts'
import { watchForWebPage } from './web-page.ts'

/** What a collector did not take of an export that it answered well. */
export interface Rejected {
  readonly items: number
  /** In the collector's words; empty where it gave none. */
  readonly why: string
}

export interface OtlpSender {
  /** Resolves when the collector has answered that it took them. Rejects with a CairnError where it did not. */
  sendSpans(spans: readonly Span[]): Promise<Rejected>
  /** @param startMs when the sums began */
  sendHistograms(sums: Histograms, startMs: number, endMs: number): Promise<Rejected>
  close(): Promise<void>
}

/** What of an exporter is used; all of them have it. */
interface Exporter<Items> {
  export(items: Items, done: (result: { readonly code: number; readonly error?: Error }) => void): void
  shutdown(): Promise<void>
}

const SUCCESS = 0
const SAMPLED = 1
/** A server that does not take a connection in so long is not there, ms. */
const CONNECT_TIMEOUT_MS = 5_000
const SCOPE = { name: 'cairn' }
const NONE: Rejected = { items: 0, why: '' }

/**
 * A sender to a destination. First connects to each of its servers, so that one that is not there is told of at once;
 * rejects with `connection-lost` then. An export that fails rejects with `auth`, `bad-request` or `unavailable`.
 */
export const openSender = async (destination: Destination): Promise<OtlpSender> => {
  const { traces, metrics } = destination
  for (const signal of new Set([serverOf(traces), serverOf(metrics)])) await assertReachable(signal)
  const spanExporter = await traceExporter(traces.protocol, settingsOf(traces, destination))
  const metricExporter = await metricsExporter(metrics.protocol, settingsOf(metrics, destination))
  const resource = resourceFromAttributes({ 'service.name': 'cairn' }).merge(
    detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
  )
  await resource.waitForAsyncAttributes?.()
  return {
    sendSpans: (spans) =>
      exported(
        spanExporter,
        spans.map((span) => readableSpan(span, resource)),
        traces,
      ),
    sendHistograms: (sums, startMs, endMs) =>
      exported(metricExporter, resourceMetrics(sums, [hrTime(startMs), hrTime(endMs)], destination, resource), metrics),
    close: async () => {
      await Promise.all([spanExporter.shutdown(), metricExporter.shutdown()])
    },
  }
}

interface ExporterSettings {
  readonly url: string
  readonly headers: Record<string, string>
  readonly timeoutMillis: number
}

const settingsOf = ({ url, timeoutMs }: SignalDestination, { headers }: Destination): ExporterSettings => ({
  url,
  headers: { ...headers },
  timeoutMillis: timeoutMs,
})

/** An exporter of spans, its library loaded when it is asked for. */
const traceExporter = async (protocol: OtlpProtocol, settings: ExporterSettings): Promise<Exporter<ReadableSpan[]>> => {
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'))
  return new OTLPTraceExporter(settings)
}

/** An exporter of metrics, its library loaded when it is asked for. */
const metricsExporter = async (
  protocol: OtlpProtocol,
  settings: ExporterSettings,
): Promise<Exporter<ResourceMetrics>> => {
  const { OTLPMetricExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-metrics-otlp-http')
    : import('@opentelemetry/exporter-metrics-otlp-proto'))
  return new OTLPMetricExporter(settings)
}

/**
 * Opens a connection and closes it again.
 * @throws CairnError `connection-lost` if that fails or takes `CONNECT_TIMEOUT_MS`
 */
const assertReachable = async (server: string): Promise<void> => {
  const { hostname, port, protocol } = new URL(server)
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    timeout: CONNECT_TIMEOUT_MS,
  })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
      socket.once('timeout', () => reject(new Error('no answer')))
    })
  } catch (error) {
    throw new CairnError(
      'connection-lost',
      `The collector at ${server} can't be reached (${codeOf(error) ?? messageOf(error)}).`,
      { cause: error },
    )
  } finally {
    socket.destroy()
  }
}

/**
 * Sends one export; resolves with what the collector rejected of it. Rejects with `auth`, `bad-request` (also where a
 * web page answers) or `unavailable`. One export at a time: what a collector rejects is told by a log of the exporters
 * alone, without saying of which.
 */
const exported = async <Items>(
  exporter: Exporter<Items>,
  items: Items,
  destination: SignalDestination,
): Promise<Rejected> => {
  let rejected = NONE
  const silent = (): void => undefined
  diag.setLogger(
    {
      error: silent,
      info: silent,
      debug: silent,
      verbose: silent,
      warn: (_message, ...details) => (rejected = rejectedOf(details) ?? rejected),
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const page = watchForWebPage(destination.url)
  try {
    const { code, error } = await new Promise<{ readonly code: number; readonly error?: Error }>((resolve) =>
      exporter.export(items, resolve),
    )
    if (code !== SUCCESS) throw failureOf(error, serverOf(destination))
    if (page.wasAnswered)
      throw new CairnError(
        'bad-request',
        `${serverOf(destination)} answers with a web page: it is no collector. Most take OTLP/HTTP at port 4318.`,
      )
    return rejected
  } finally {
    page.end()
    diag.disable()
  }
}

/**
 * What a collector says that it rejected, which stands as JSON behind the words of a warning; undefined for any other
 * warning. A missing count is 0.
 */
const rejectedOf = (details: readonly unknown[]): Rejected | undefined => {
  const read = typeof details[0] === 'string' ? parseJson(details[0])?.value : undefined
  if (!isJsonObject(read)) return undefined
  const count = [read['rejectedSpans'], read['rejectedDataPoints']].find((value) => value !== undefined)
  return { items: countOf(Number(count)), why: stringOf(read['errorMessage']) ?? '' }
}

/**
 * The error for an export that failed: `auth` for HTTP 401 and 403, `bad-request` for other statuses, `unavailable`
 * without a status.
 */
const failureOf = (error: Error | undefined, server: string): CairnError => {
  const status: unknown = error !== undefined && 'code' in error ? error.code : undefined
  if (status === 401 || status === 403)
    return new CairnError(
      'auth',
      `The collector at ${server} takes nothing from here (${status}); --header, or OTEL_EXPORTER_OTLP_HEADERS, sends the key that it wants.`,
    )
  if (typeof status === 'number')
    return new CairnError('bad-request', `The collector at ${server} refused an export (${status}).`, { cause: error })
  const code = error === undefined ? undefined : codeOf(error)
  return new CairnError(
    'unavailable',
    `The collector at ${server} took no export, however often it was tried${code === undefined ? '' : ` (${code})`}.`,
    { cause: error },
  )
}

/** A time or a length in ms as whole seconds and nanoseconds. */
const hrTime = (ms: number): HrTime => {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}

/** A span in the form of OpenTelemetry's exporters, as if its SDK had ended it. */
const readableSpan = (span: Span, resource: Resource): ReadableSpan => {
  const { traceId, parentId, startMs, endMs, attributes, isError } = span
  const context = (spanId: string) => ({ traceId, spanId, traceFlags: SAMPLED })
  return {
    name: span.name,
    kind: span.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    spanContext: () => context(span.spanId),
    ...(parentId === undefined ? {} : { parentSpanContext: context(parentId) }),
    startTime: hrTime(startMs),
    endTime: hrTime(endMs),
    duration: hrTime(endMs - startMs),
    status: { code: isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
    ),
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** The metrics in the form of OpenTelemetry's exporters; those without points are left out. */
const resourceMetrics = (
  sums: Histograms,
  [startTime, endTime]: readonly [HrTime, HrTime],
  { isDelta }: Destination,
  resource: Resource,
): ResourceMetrics => {
  const points = Object.values(sums)
  const metrics = METRICS.map(({ name, unit, description, bounds }) => ({
    descriptor: { name, unit, description, valueType: unit === 's' ? ValueType.DOUBLE : ValueType.INT },
    aggregationTemporality: isDelta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.HISTOGRAM as const,
    dataPoints: points
      .filter(({ metric }) => metric === name)
      .map(({ attributes, count, sum, min, max, buckets }) => ({
        startTime,
        endTime,
        attributes: { ...attributes },
        value: { count, sum, min, max, buckets: { boundaries: [...bounds], counts: [...buckets] } },
      })),
  })).filter(({ dataPoints }) => dataPoints.length > 0)
  return { resource, scopeMetrics: [{ scope: SCOPE, metrics }] }
}
