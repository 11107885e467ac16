/** Parses `--upstream`: the addresses to which requests are forwarded. */
import { CairnError } from '@cairn/core'
import { DEFAULT_UPSTREAMS, WIRES } from '@cairn/core/node/gateway'
import type { Upstreams, Wire } from '@cairn/core/node/gateway'
import { collecting, httpAddress } from '../options/option-values.ts'

/** One `--upstream`: an address and the APIs it is for. */
interface UpstreamOption {
  readonly wires: readonly Wire[]
  readonly url: URL
}

const NAMES: Readonly<Record<string, readonly Wire[]>> = {
  anthropic: ['anthropic'],
  responses: ['responses'],
  chat: ['chat'],
  openai: ['responses', 'chat'],
}

/**
 * Reads one `--upstream`: `<api>=<address>`, or an address alone, which is for all APIs.
 * @throws CairnError `usage` for an unknown API or an invalid address
 */
const parse = (text: string): UpstreamOption => {
  const [, name, address = text] = /^([a-z]+)=(.*)$/s.exec(text.trim()) ?? []
  const wires = name === undefined ? WIRES : Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
  if (wires === undefined)
    throw new CairnError(
      'usage',
      `--upstream takes an address, or one for ${Object.keys(NAMES).join(', ')}, such as openai=http://localhost:8080/v1.`,
    )
  return { wires, url: new URL(httpAddress('--upstream')(address)) }
}

/** Collects the values of `--upstream`, which may be repeated; throws CairnError `usage` for an invalid one. */
export const upstreamOption = collecting((text) => {
  parse(text)
  return text
})

/**
 * Returns the address of each API: the last one given for it, otherwise the provider's own. Throws `usage` as {@link parse}
 * does.
 */
export const upstreamsOf = (given: readonly string[] = []): Upstreams =>
  given
    .map(parse)
    .reduce<Upstreams>(
      (all, { wires, url }) => ({ ...all, ...Object.fromEntries(wires.map((wire) => [wire, url])) }),
      DEFAULT_UPSTREAMS,
    )
