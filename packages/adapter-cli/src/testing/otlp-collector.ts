/** For end-to-end tests: a collector of OpenTelemetry over HTTP that reads JSON and protobuf, and keeps what it was sent. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Value = string | number | boolean

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty: it is a root. */
  readonly parentId: string
  readonly name: string
  /** 1: internal, 3: client. */
  readonly kind: number
  readonly startNano: bigint
  readonly endNano: bigint
  readonly attributes: Readonly<Record<string, Value>>
  /** 2: an error. */
  readonly status: number
}

interface ReceivedPoint {
  readonly metric: string
  readonly unit: string
  /** 1: delta, 2: cumulative. */
  readonly temporality: number
  readonly attributes: Readonly<Record<string, Value>>
  readonly count: number
  readonly sum: number
  readonly buckets: readonly number[]
  readonly bounds: readonly number[]
}

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly spans: readonly ReceivedSpan[]
  readonly points: readonly ReceivedPoint[]
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** In JSON's form; sent as protobuf where that is what came, of which it knows the partial success of traces. */
  readonly rejectedSpans?: { readonly count: number; readonly why: string }
}

export interface OtlpCollector {
  readonly url: string
  /** Exports that were answered with a status below 300. */
  readonly received: readonly Received[]
  /** Decides the answer to an export, of which it is given the number from 0; without it all are taken. */
  answer: ((index: number) => Answer) | undefined
  spans(): readonly ReceivedSpan[]
  /** Data points of the last export of metrics. */
  points(): readonly ReceivedPoint[]
  close(): Promise<void>
}

/**
 * Starts a collector on a free port of this machine, which takes everything unless `answer` says otherwise; the caller
 * closes it.
 */
export const startCollector = async (): Promise<OtlpCollector> => {
  const received: Received[] = []
  let count = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { status, headers = {}, rejectedSpans } = collector.answer?.(count++) ?? { status: 200 }
      const isJson = request.headers['content-type'] === 'application/json'
      const body = Buffer.concat(chunks)
      const path = request.url ?? ''
      if (status < 300) received.push({ path, headers: request.headers, body, ...readExport(path, body, isJson) })
      response.writeHead(status, {
        'content-type': isJson ? 'application/json' : 'application/x-protobuf',
        ...headers,
      })
      if (rejectedSpans === undefined) response.end(isJson ? '{}' : undefined)
      else response.end(isJson ? partialJson(rejectedSpans) : partialProtobuf(rejectedSpans))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector: OtlpCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: undefined,
    spans: () => received.flatMap(({ spans }) => spans),
    points: () => received.findLast(({ points }) => points.length > 0)?.points ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return collector
}

const partialJson = ({ count, why }: { count: number; why: string }): string =>
  JSON.stringify({ partialSuccess: { rejectedSpans: String(count), errorMessage: why } })

/** Returns the answer that a part was rejected, for counts below 128 and sentences below 100 bytes. */
const partialProtobuf = ({ count, why }: { count: number; why: string }): Buffer => {
  const text = Buffer.from(why)
  const inner = Buffer.concat([Buffer.from([1 << 3, count, (2 << 3) | 2, text.length]), text])
  return Buffer.concat([Buffer.from([(1 << 3) | 2, inner.length]), inner])
}

/** Returns the spans of `/v1/traces`, or else the points, in an export's body. Throws for a damaged body. */
const readExport = (path: string, body: Buffer, isJson: boolean): Pick<Received, 'spans' | 'points'> => {
  const isTraces = path.endsWith('/v1/traces')
  if (isJson) {
    const read = JSON.parse(body.toString()) as JsonExport
    return isTraces ? { spans: jsonSpans(read), points: [] } : { spans: [], points: jsonPoints(read) }
  }
  return isTraces ? { spans: protobufSpans(body), points: [] } : { spans: [], points: protobufPoints(body) }
}

interface JsonAttribute {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: number | string
    readonly doubleValue?: number
    readonly boolValue?: boolean
  }
}

interface JsonExport {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly JsonSpan[] }[] }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly JsonMetric[] }[]
  }[]
}

interface JsonSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly JsonAttribute[]
  readonly status: { readonly code?: number }
}

interface JsonMetric {
  readonly name: string
  readonly unit: string
  readonly histogram: {
    readonly aggregationTemporality: number
    readonly dataPoints: readonly {
      readonly attributes: readonly JsonAttribute[]
      readonly count: number | string
      readonly sum: number
      readonly bucketCounts: readonly (number | string)[]
      readonly explicitBounds: readonly number[]
    }[]
  }
}

/** Returns attributes of OTLP's JSON by name; whole numbers as numbers. */
const jsonAttributes = (attributes: readonly JsonAttribute[]): Record<string, Value> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue ?? '',
    ]),
  )

/** Returns all spans of an export in JSON, in order. */
const jsonSpans = ({ resourceSpans = [] }: JsonExport): ReceivedSpan[] =>
  resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      traceId: span.traceId,
      spanId: span.spanId,
      parentId: span.parentSpanId ?? '',
      name: span.name,
      kind: span.kind,
      startNano: BigInt(span.startTimeUnixNano),
      endNano: BigInt(span.endTimeUnixNano),
      attributes: jsonAttributes(span.attributes),
      status: span.status.code ?? 0,
    }))

/** Returns all points of an export's histograms in JSON, in order. */
const jsonPoints = ({ resourceMetrics = [] }: JsonExport): ReceivedPoint[] =>
  resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .flatMap(({ name, unit, histogram: { aggregationTemporality, dataPoints } }) =>
      dataPoints.map((point) => ({
        metric: name,
        unit,
        temporality: aggregationTemporality,
        attributes: jsonAttributes(point.attributes),
        count: Number(point.count),
        sum: point.sum,
        buckets: point.bucketCounts.map(Number),
        bounds: point.explicitBounds,
      })),
    )

/** A field of a message in protobuf: numbers as they stand, everything else as bytes. */
interface Field {
  readonly number: number
  readonly varint: bigint
  readonly bytes: Buffer
}

/**
 * Returns the fields of a protobuf message, in order; a fixed or nested one as its bytes. @throws RangeError if it is
 * cut off
 */
const fieldsOf = (bytes: Buffer): Field[] => {
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
  }
  const NONE = Buffer.alloc(0)
  while (at < bytes.length) {
    const tag = Number(varint())
    const type = tag & 7
    const value = type === 0 || type === 2 ? varint() : 0n
    const length = type === 2 ? Number(value) : type === 1 ? 8 : type === 5 ? 4 : 0
    fields.push({ number: tag >> 3, varint: value, bytes: length > 0 ? bytes.subarray(at, at + length) : NONE })
    at += length
  }
  return fields
}

/** Returns the messages at a path of field numbers, in order; the message itself for an empty path. */
const messages = (bytes: Buffer, ...path: readonly number[]): Buffer[] => {
  const [number, ...rest] = path
  if (number === undefined) return [bytes]
  return fieldsOf(bytes)
    .filter((field) => field.number === number)
    .flatMap((field) => messages(field.bytes, ...rest))
}

const one = (bytes: Buffer, number: number): Field =>
  fieldsOf(bytes).find((field) => field.number === number) ?? { number, varint: 0n, bytes: Buffer.alloc(0) }

const doubles = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readDoubleLE(index * 8))
const longs = (bytes: Buffer): bigint[] =>
  Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readBigUInt64LE(index * 8))

/** Returns attributes in the field with this number, by name. */
const protobufAttributes = (bytes: Buffer, number: number): Record<string, Value> =>
  Object.fromEntries(
    messages(bytes, number).map((attribute): [string, Value] => {
      const value = fieldsOf(one(attribute, 2).bytes)[0]
      const key = one(attribute, 1).bytes.toString()
      if (value?.number === 2) return [key, value.varint === 1n]
      if (value?.number === 3) return [key, Number(value.varint)]
      return [key, value?.number === 4 ? value.bytes.readDoubleLE() : (value?.bytes.toString() ?? '')]
    }),
  )

/** Returns all spans of an export in protobuf, in order. */
const protobufSpans = (body: Buffer): ReceivedSpan[] =>
  messages(body, 1, 2, 2).map((span) => ({
    traceId: one(span, 1).bytes.toString('hex'),
    spanId: one(span, 2).bytes.toString('hex'),
    parentId: one(span, 4).bytes.toString('hex'),
    name: one(span, 5).bytes.toString(),
    kind: Number(one(span, 6).varint),
    startNano: longs(one(span, 7).bytes)[0] ?? 0n,
    endNano: longs(one(span, 8).bytes)[0] ?? 0n,
    attributes: protobufAttributes(span, 9),
    status: Number(one(one(span, 15).bytes, 3).varint),
  }))

/** Returns all points of an export's histograms in protobuf, in order. */
const protobufPoints = (body: Buffer): ReceivedPoint[] =>
  messages(body, 1, 2, 2).flatMap((metric) =>
    messages(metric, 9).flatMap((histogram) =>
      messages(histogram, 1).map((point) => ({
        metric: one(metric, 1).bytes.toString(),
        unit: one(metric, 3).bytes.toString(),
        temporality: Number(one(histogram, 2).varint),
        attributes: protobufAttributes(point, 9),
        count: Number(longs(one(point, 4).bytes)[0] ?? 0n),
        sum: doubles(one(point, 5).bytes)[0] ?? 0,
        buckets: longs(one(point, 6).bytes).map(Number),
        bounds: doubles(one(point, 7).bytes),
      })),
    ),
  )
