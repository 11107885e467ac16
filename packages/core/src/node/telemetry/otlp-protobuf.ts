/**
 * OTLP's binary form of logs, as the objects of its JSON form: only the messages and fields that are read there. Fields of
 * other numbers are passed over, as in any reader of protobuf. And the two answers that a receiver gives.
 */
import type { JsonObject, JsonValue } from '../../json.ts'

/** A field of a message: its number, and its content by the kind that it is sent as. */
interface Field {
  readonly number: number
  readonly varint?: bigint
  readonly fixed64?: DataView
  readonly bytes?: Uint8Array
}

/** What is no message. */
class NotProtobuf extends Error {}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5
/** A varint of 64 bits takes at most so many bytes. */
const LONGEST_VARINT = 10

/** The export that a body holds, in the form of its JSON; undefined for what is none. Never throws. */
export const logsOfProtobuf = (body: Uint8Array): JsonObject | undefined => {
  try {
    return exportOf(body)
  } catch (error) {
    if (error instanceof NotProtobuf) return undefined
    throw error
  }
}

/**
 * The fields of a message in their order, those of unknown numbers too; fields of 32 bits are passed over.
 * @throws NotProtobuf where the bytes end early or are of no known type
 */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0
  /**
   * Reads the next number, unsigned and cut to 64 bits, and moves on behind it. Throws NotProtobuf if the bytes end or
   * it is too long.
   */
  const varint = (): bigint => {
    let value = 0n
    for (let index = 0; index < LONGEST_VARINT; index += 1) {
      const byte = bytes[at]
      if (byte === undefined) throw new NotProtobuf()
      at += 1
      value |= BigInt(byte & 0x7f) << BigInt(7 * index)
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new NotProtobuf()
  }
  const skip = (length: number): number => {
    const start = at
    if (length > bytes.length - start) throw new NotProtobuf()
    at += length
    return start
  }
  while (at < bytes.length) {
    const tag = varint()
    const number = Number(tag >> 3n)
    switch (Number(tag & 7n)) {
      case VARINT:
        yield { number, varint: varint() }
        break
      case FIXED64:
        yield { number, fixed64: new DataView(bytes.buffer, bytes.byteOffset + skip(8), 8) }
        break
      case BYTES: {
        const length = Number(varint())
        const start = skip(length)
        yield { number, bytes: bytes.subarray(start, start + length) }
        break
      }
      case FIXED32:
        skip(4)
        break
      default:
        throw new NotProtobuf()
    }
  }
}

/** The messages of a repeated field. In their order; those of another wire type are skipped. */
const repeated = <T>(bytes: Uint8Array, number: number, read: (message: Uint8Array) => T): T[] => {
  const found: T[] = []
  for (const field of fieldsOf(bytes))
    if (field.number === number && field.bytes !== undefined) found.push(read(field.bytes))
  return found
}

/** An export of logs as its JSON form would have it, with the fields that are read. */
const exportOf = (bytes: Uint8Array): JsonObject => ({
  resourceLogs: repeated(bytes, 1, (resource) => ({
    scopeLogs: repeated(resource, 2, (scope) => ({ logRecords: repeated(scope, 2, recordOf) })),
  })),
})

/** The bytes as text. @throws NotProtobuf if it is not UTF-8 */
const text = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new NotProtobuf()
  }
}

/** A log record as its JSON form would have it: times in nanoseconds as texts. Unknown fields are left out. */
const recordOf = (bytes: Uint8Array): JsonObject => {
  const record: Record<string, JsonValue> = {}
  const attributes: JsonObject[] = []
  for (const { number, fixed64, bytes: content } of fieldsOf(bytes)) {
    if (number === 1 && fixed64 !== undefined) record['timeUnixNano'] = String(fixed64.getBigUint64(0, true))
    else if (number === 11 && fixed64 !== undefined)
      record['observedTimeUnixNano'] = String(fixed64.getBigUint64(0, true))
    else if (content === undefined) continue
    else if (number === 5) record['body'] = valueOf(content)
    else if (number === 6) attributes.push(attributeOf(content))
    else if (number === 12) record['eventName'] = text(content)
  }
  return { ...record, attributes }
}

/** An attribute of a key and a value, either of which may be missing. */
const attributeOf = (bytes: Uint8Array): JsonObject => {
  const attribute: Record<string, JsonValue> = {}
  for (const { number, bytes: content } of fieldsOf(bytes))
    if (number === 1 && content !== undefined) attribute['key'] = text(content)
    else if (number === 2 && content !== undefined) attribute['value'] = valueOf(content)
  return attribute
}

/**
 * A value as its JSON form would have it (`stringValue`, `boolValue`, `intValue` as text, `doubleValue`); `{}` for
 * lists, objects and bytes. @throws NotProtobuf
 */
const valueOf = (bytes: Uint8Array): JsonObject => {
  for (const { number, varint, fixed64, bytes: content } of fieldsOf(bytes)) {
    if (number === 1 && content !== undefined) return { stringValue: text(content) }
    if (number === 2 && varint !== undefined) return { boolValue: varint !== 0n }
    if (number === 3 && varint !== undefined) return { intValue: String(BigInt.asIntN(64, varint)) }
    if (number === 4 && fixed64 !== undefined) return { doubleValue: fixed64.getFloat64(0, true) }
  }
  return {}
}

const varintBytes = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varintBytes(value >>> 7)]

const numberField = (number: number, value: number): Uint8Array => Uint8Array.from([number << 3, ...varintBytes(value)])
const bytesField = (number: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([(number << 3) | BYTES, ...varintBytes(content.length)]), content])

/** The answer that an export was taken, but for so many records; no bytes where all were. */
export const takenAsProtobuf = (rejected: number, message: string): Uint8Array =>
  rejected === 0
    ? new Uint8Array()
    : bytesField(1, Buffer.concat([numberField(1, rejected), bytesField(2, Buffer.from(message))]))

/** An error, with its code of Google's. */
export const errorAsProtobuf = (code: number, message: string): Uint8Array =>
  Buffer.concat([numberField(1, code), bytesField(2, Buffer.from(message))])
