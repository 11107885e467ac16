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

/** A request to take log records in, read, with how many of its elements are none; or the sentence that refuses it. */
export type OtlpLogs =
  { readonly records: readonly OtlpLogRecord[]; readonly rejected: number } | { readonly refused: string }

/** How an export is written. */
export type OtlpEncoding = 'json' | 'protobuf'

/**
 * Reads the body of a request. Elements that are no records are counted in `rejected`; a body that is no export of logs
 * is `refused`. Never throws. Records of all resources and scopes are in one list.
 */
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
  let rejected = 0
  /** The objects of a list, none where it is missing; other elements, or a value that is no list, count as rejected. */
  const objectsIn = (list: JsonValue | undefined): readonly JsonObject[] => {
    const elements = list === undefined || list === null ? [] : Array.isArray(list) ? (list as JsonValue[]) : [list]
    const objects = Array.isArray(list) ? elements.filter(isJsonObject) : []
    rejected += elements.length - objects.length
    return objects
  }
  const records = objectsIn(resourceLogs).flatMap(({ scopeLogs }) =>
    objectsIn(scopeLogs).flatMap(({ logRecords }) => objectsIn(logRecords).map(recordOf)),
  )
  return { records, rejected }
}

/**
 * A record's event names, time and attributes. Each of three fields may hold a name; the time is that of its attribute
 * `event.timestamp`, else the record's own, else when it was seen. Attributes that are not single values are left out;
 * of two with one key the last counts.
 */
const recordOf = (record: JsonObject): OtlpLogRecord => {
  const attributes = new Map<string, AttributeValue>()
  for (const { key, value } of arrayOf(record.attributes).map(objectOf)) {
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

/** A text, number or boolean; undefined for lists, objects and numbers that are not finite. */
const singleValue = ({ stringValue, intValue, doubleValue, boolValue }: JsonObject): AttributeValue | undefined => {
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  // 64-bit numbers are texts in JSON.
  const number = typeof intValue === 'string' ? Number(intValue) : (intValue ?? doubleValue)
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** A time in ms; undefined for what is no time as text. */
const timeOf = (text: AttributeValue | undefined): number | undefined => {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** When it happened, else when it was seen, ms; 0 stands for a time that is not known. */
const nanosOf = ({ timeUnixNano, observedTimeUnixNano }: JsonObject): number | undefined =>
  [timeUnixNano, observedTimeUnixNano]
    .map((nanos) => (typeof nanos === 'string' || typeof nanos === 'number' ? Math.floor(Number(nanos) / 1e6) : 0))
    .find((ms) => ms > 0)

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
