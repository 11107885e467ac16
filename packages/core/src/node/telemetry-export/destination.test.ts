import { describe, expect, it } from '@jest/globals'
import { destinationOf, serverOf, type DestinationInput } from './destination.ts'

const given = (
  variables: Readonly<Record<string, string>>,
  more: Partial<DestinationInput> = {},
): DestinationInput => ({
  endpoint: undefined,
  option: '--endpoint',
  protocol: undefined,
  headers: {},
  variables,
  ...more,
})

describe('where telemetry is sent', () => {
  it("is what is said, before a signal's own variables, before those of both", () => {
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://both.example/base/',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/just/so',
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
      OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '700',
    }
    const { traces, metrics } = destinationOf(given(variables))
    expect(traces).toEqual({ url: 'https://traces.example/just/so', protocol: 'http/protobuf', timeoutMs: 2_500 })
    expect(metrics).toEqual({ url: 'https://both.example/base/v1/metrics', protocol: 'http/json', timeoutMs: 700 })
    const named = destinationOf(
      given(variables, { endpoint: 'http://127.0.0.1:4318/token/k3y', protocol: 'http/protobuf' }),
    )
    expect(named.traces.url).toBe('http://127.0.0.1:4318/token/k3y/v1/traces')
    expect(named.metrics).toMatchObject({
      url: 'http://127.0.0.1:4318/token/k3y/v1/metrics',
      protocol: 'http/protobuf',
    })
    expect(serverOf(named.traces)).toBe('http://127.0.0.1:4318')
  })

  it.each([['soon'], ['-5'], ['0'], [' ']])('has a minute where %j is no timeout', (timeout) => {
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://both.example', OTEL_EXPORTER_OTLP_TIMEOUT: timeout }
    expect(destinationOf(given(variables)).traces.timeoutMs).toBe(60_000)
  })

  it('is nowhere by itself, and not where it can not be', () => {
    expect(() => destinationOf(given({}))).toThrow(/^Where is it sent/)
    expect(() => destinationOf(given({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }))).toThrow(/none of http/)
    const grpc = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://both.example', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
    expect(() => destinationOf(given(grpc))).toThrow(/not gRPC/)
  })
})
