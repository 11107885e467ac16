/** Spans as data, with ids that come out the same however often they are made. */
import { createHash } from 'node:crypto'

export type AttributeValue = string | number | boolean | readonly string[]
export type Attributes = Readonly<Record<string, AttributeValue>>

export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Absent: it is the trace's root. */
  readonly parentId?: string
  readonly name: string
  /** `client`: a call of another system. */
  readonly kind: 'internal' | 'client'
  /** ms since the epoch; the end is not before the start. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly isError: boolean
}

/** The id of what these words name: the same for the same ones, and of any other ones another. */
const idOf = (words: readonly string[], digits: number): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, digits)

/** The id of the trace that these words name: 32 hexadecimal digits, the same for the same words. */
export const traceIdOf = (...words: readonly string[]): string => idOf(['trace', ...words], 32)
/** The id of the span that these words name: 16 hexadecimal digits, the same for the same words. */
export const spanIdOf = (...words: readonly string[]): string => idOf(['span', ...words], 16)
