/** Headers on their way through: in their order and case, without those that belong to one connection. */
import type { IncomingHttpHeaders } from 'node:http'

const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Headers for the gateway itself; they go no further. */
export const OWN_HEADERS = 'x-cairn-'

/** Names and values in turn, as Node gives and takes them. */
type RawHeaders = readonly string[]

/**
 * The headers that are passed on, as names and values in turn, in their order and case; those of one connection are
 * left out. `isOurs`: what else is left out, by the name in lower case.
 */
export const passedHeaders = (raw: RawHeaders, isOurs: (name: string) => boolean = () => false): string[] => {
  const pairs = pairsOf(raw)
  const named = new Set(
    pairs
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((word) => word.trim().toLowerCase())),
  )
  return pairs
    .filter(([name]) => {
      const lower = name.toLowerCase()
      return !OF_A_CONNECTION.has(lower) && !named.has(lower) && !isOurs(lower)
    })
    .flat()
}

/** Raw headers as pairs of name and value, in order, repeated ones too. */
const pairsOf = (raw: RawHeaders): (readonly [string, string])[] => {
  const pairs: (readonly [string, string])[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) pairs.push([raw[index] ?? '', raw[index + 1] ?? ''])
  return pairs
}

/**
 * The first value of a header (its name in lower case) that may stand there several times; undefined for one that is
 * missing or empty.
 */
export const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  const first = Array.isArray(value) ? value[0] : value
  return first === '' ? undefined : first
}
