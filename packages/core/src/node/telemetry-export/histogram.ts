/** The two metrics of the GenAI conventions: histograms of tokens and of durations, that add up over exports. */
import type { RequestFact } from '../../ports/usage-storage.ts'
import { inputTokensOf, modelAttributes } from './genai-attributes.ts'
import type { Attributes } from './span.ts'

type MetricName = 'gen_ai.client.token.usage' | 'gen_ai.client.operation.duration'

export interface MetricKind {
  readonly name: MetricName
  readonly unit: string
  readonly description: string
  /** Upper ends of the buckets, as the conventions advise; a last bucket has what is above all of them. */
  readonly bounds: readonly number[]
}

const powers = (base: number, times: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => base * times ** index)

export const METRICS: readonly MetricKind[] = [
  {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    bounds: powers(1, 4, 14),
  },
  {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    description: 'GenAI operation duration.',
    bounds: powers(1, 2, 14).map((times) => times / 100),
  },
]

/** Values with the same attributes. */
interface HistogramPoint {
  readonly metric: MetricName
  readonly attributes: Readonly<Record<string, string>>
  readonly count: number
  readonly sum: number
  readonly min: number
  readonly max: number
  /** Values in each bucket; one more than there are bounds. */
  readonly buckets: readonly number[]
}

/** Points by metric and attributes. */
export type Histograms = Readonly<Record<string, HistogramPoint>>

/** The sum of two points of the same metric and attributes; the right one where there is no left. */
const added = (left: HistogramPoint | undefined, right: HistogramPoint): HistogramPoint =>
  left === undefined
    ? right
    : {
        ...left,
        count: left.count + right.count,
        sum: left.sum + right.sum,
        min: Math.min(left.min, right.min),
        max: Math.max(left.max, right.max),
        buckets: left.buckets.map((count, index) => count + (right.buckets[index] ?? 0)),
      }

/** Adds points with the same key; neither argument is changed. */
export const addHistograms = (left: Histograms, right: Histograms): Histograms => {
  const sums: Record<string, HistogramPoint> = { ...left }
  for (const [key, point] of Object.entries(right)) sums[key] = added(sums[key], point)
  return sums
}

/**
 * A histogram of one value. A bucket has the values up to its bound, the last one those above all. Attributes become
 * texts.
 */
const pointOf = (metric: MetricName, value: number, given: Attributes): HistogramPoint => {
  const { bounds } = METRICS.find(({ name }) => name === metric) ?? { bounds: [] }
  const above = bounds.findIndex((bound) => value <= bound)
  const index = above === -1 ? bounds.length : above
  const attributes = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, String(text)]))
  const buckets = Array.from({ length: bounds.length + 1 }, (_, bucket) => (bucket === index ? 1 : 0))
  return { metric, attributes, count: 1, sum: value, min: value, max: value, buckets }
}

/**
 * What requests add to the metrics: the input and output tokens of each, and the duration (s) of those where it was
 * measured. By metric and attributes.
 */
export const histogramsOf = (requests: readonly RequestFact[]): Histograms => {
  const sums: Record<string, HistogramPoint> = {}
  const add = (point: HistogramPoint): void => {
    const key = JSON.stringify([point.metric, Object.entries(point.attributes)])
    sums[key] = added(sums[key], point)
  }
  for (const request of requests) {
    const attributes = modelAttributes(request)
    const ofType = (type: 'input' | 'output'): Attributes => ({ ...attributes, 'gen_ai.token.type': type })
    add(pointOf('gen_ai.client.token.usage', inputTokensOf(request), ofType('input')))
    add(pointOf('gen_ai.client.token.usage', request.outputTokens, ofType('output')))
    if (request.latency !== undefined)
      add(pointOf('gen_ai.client.operation.duration', request.latency.totalMs / 1_000, attributes))
  }
  return sums
}
