/**
 * Log records as OpenTelemetry's protocol (OTLP) carries them, in JSON or protobuf. Only attributes with a single value are
 * read: no agent's figures are lists.
 */
import { arrayOf, isJsonObject, objectOf, parseJson, stringOf, type JsonObject, type JsonValue } from '../../json.ts'
import { logsOfProtobuf } from './otlp-protobuf.ts'

type AttributeValue = string | number | boolean
export type Attributes = ReadonlyMap<string, AttributeValue>

export interface OtlpLogRecord {
  /** What the event is called: in an attribute, by the record itself, or as its body. */
  readonly names: readonly string[]
  /** When it happened, ms since the epoch; undefined where nobody says. */
  readonly at: number | undefined
  readonly attributes: Attributes
}

/** A request to take log records in, read; or the sentence that refuses it. */
export type OtlpLogs = { readonly records: readonly OtlpLogRecord[] } | { readonly refused: string }

/** How an export is written. */
export type OtlpEncoding = 'json' | 'protobuf'

/** Reads the body of a request. Never throws. */
export const readOtlpLogs = (body: Uint8Array, encoding: OtlpEncoding): OtlpLogs => {
  const read = encoding === 'json' ? parseJson(new TextDecoder().decode(body))?.value : logsOfProtobuf(body)
  if (!isJsonObject(read))
    return {
      refused: encoding === 'json' ? 'The body is no JSON object.' : 'The body is no export of logs in protobuf.',
    }
  const { resourceLogs } = read
  // An empty list may be left out.
  if (resourceLogs !== undefined && !Array.isArray(resourceLogs))
    return { refused: 'The body is no export of logs: its resourceLogs is no list.' }
  return {
    records: objectsOf(resourceLogs).flatMap(({ scopeLogs }) =>
      objectsOf(scopeLogs).flatMap(({ logRecords }) => objectsOf(logRecords).map(recordOf)),
    ),
  }
}

const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] => arrayOf(value).map(objectOf)

const recordOf = (record: JsonObject): OtlpLogRecord => {
  const attributes = new Map<string, AttributeValue>()
  for (const { key, value } of objectsOf(record.attributes)) {
    const single = singleValue(objectOf(value))
    if (typeof key === 'string' && single !== undefined) attributes.set(key, single)
  }
  const names = [attributes.get('event.name'), record.eventName, objectOf(record.body).stringValue]
  return {
    names: names.flatMap((name) => stringOf(name) ?? []),
    at: timeOf(attributes.get('event.timestamp')) ?? nanosOf(record),
    attributes,
  }
}

const singleValue = ({ stringValue, intValue, doubleValue, boolValue }: JsonObject): AttributeValue | undefined => {
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  // 64-bit numbers are texts in JSON.
  const number = typeof intValue === 'string' ? Number(intValue) : (intValue ?? doubleValue)
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const timeOf = (text: AttributeValue | undefined): number | undefined => {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** When it happened, else when it was seen; 0 stands for a time that is not known. */
const nanosOf = ({ timeUnixNano, observedTimeUnixNano }: JsonObject): number | undefined =>
  [timeUnixNano, observedTimeUnixNano].map((nanos) => Math.floor(Number(nanos ?? 0) / 1e6)).find((ms) => ms > 0)

/** An attribute as a text; undefined for one that is missing or empty. */
export const textOf = (attributes: Attributes, name: string): string | undefined => {
  const value = attributes.get(name)
  return value === undefined || value === '' ? undefined : String(value)
}

/** An attribute as a number, which some agents send as a text; undefined for what is none. */
export const numberOf = (attributes: Attributes, name: string): number | undefined => {
  const text = textOf(attributes, name)
  const number = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}
