import { describe, expect, it } from '@jest/globals'
import { readOtlpLogs, type OtlpLogRecord } from './otlp-logs.ts'
import { errorAsProtobuf, takenAsProtobuf } from './otlp-protobuf.ts'

const varint = (value: number | bigint): number[] => {
  const rest = BigInt.asUintN(64, BigInt(value))
  return rest < 0x80n ? [Number(rest)] : [Number(rest & 0x7fn) | 0x80, ...varint(rest >> 7n)]
}
const field = (number: number, content: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes])
}
const fixed64 = (number: number, write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(9, (number << 3) | 1)
  write(bytes)
  return bytes
}
const attribute = (key: string, value: Uint8Array): Buffer => field(6, Buffer.concat([field(1, key), field(2, value)]))
const exported = (...records: readonly Uint8Array[]): Buffer =>
  field(1, Buffer.concat([field(1, 'a resource'), field(2, Buffer.concat(records.map((record) => field(2, record))))]))
const read = (body: Uint8Array): readonly OtlpLogRecord[] | string => {
  const logs = readOtlpLogs(body, 'protobuf')
  return 'refused' in logs ? logs.refused : logs.records
}

const AT_NANOS = 1_790_000_123_456_789_000n

describe('logs in protobuf', () => {
  it('are read with their times, names and values of every kind', () => {
    const record = Buffer.concat([
      fixed64(1, (bytes) => bytes.writeBigUInt64LE(AT_NANOS, 1)),
      // Severity and flags, which nobody reads.
      Buffer.from([2 << 3, 9, (8 << 3) | 5, 1, 0, 0, 0]),
      field(5, field(1, 'claude_code.api_request')),
      attribute('text', field(1, 'Grüße')),
      attribute('yes', Buffer.from([2 << 3, 1])),
      attribute('large', Buffer.from([3 << 3, ...varint(5_000_000_000)])),
      attribute('below', Buffer.from([3 << 3, ...varint(-7)])),
      attribute(
        'half',
        fixed64(4, (bytes) => bytes.writeDoubleLE(0.5, 1)),
      ),
      attribute('list', field(5, field(1, field(1, 'x')))),
      field(12, 'named'),
    ])
    expect(read(exported(record, Buffer.alloc(0)))).toEqual([
      {
        names: ['named', 'claude_code.api_request'],
        at: 1_790_000_123_456,
        attributes: new Map<string, unknown>([
          ['text', 'Grüße'],
          ['yes', true],
          ['large', 5_000_000_000],
          ['below', -7],
          ['half', 0.5],
        ]),
      },
      { names: [], at: undefined, attributes: new Map() },
    ])
    expect(read(Buffer.alloc(0))).toEqual([])
  })

  const whole = exported(field(5, field(1, 'body')))
  it.each([
    ['cut off', whole.subarray(0, -1)],
    ['with a length beyond its end', Buffer.from([10, ...varint(1n << 62n)])],
    ['with an endless number', Buffer.from([10, ...Array<number>(11).fill(0xff)])],
    ['of groups, which nobody sends', Buffer.from([(1 << 3) | 3])],
    ['with text that is none', exported(field(5, Buffer.from([10, 1, 0xff])))],
    ['that is JSON', Buffer.from('{"resourceLogs":[]}')],
  ])('are refused when they are %s', (_what, body) => {
    expect(read(body)).toContain('no export of logs in protobuf')
  })

  it('are answered in protobuf', () => {
    expect(takenAsProtobuf(0, '')).toHaveLength(0)
    expect([...takenAsProtobuf(300, 'No.')]).toEqual([10, 8, 8, 0xac, 2, 18, 3, ...Buffer.from('No.')])
    expect([...errorAsProtobuf(16, 'x'.repeat(200))].slice(0, 5)).toEqual([8, 16, 18, 200, 1])
  })
})
