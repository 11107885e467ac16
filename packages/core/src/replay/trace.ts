/** Requests of a replay as lines of JSON, from which cost and misses can be computed again. Format in docs/replay.md. */
import type { ViewBlock } from '../context/view-block.ts'
import type { PreparedBlock } from '../context/create-context.ts'
import { textOfBlock, type ContentBlock } from '../messages.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { RequestTrace } from './run.ts'
import { STRIDE, type Trajectory } from './trajectory.ts'

/** A block of a line: `message` is the 0-based source line, `block` its place there; null for what was made up. */
export interface TracedBlock {
  readonly message: number | null
  readonly block: number | null
  readonly kind: string
  readonly state: PreparedBlock['state']
  readonly tokens: number
  /** The first 16 hex digits of the SHA-256 of the block as JSON. */
  readonly hash: string
  /** As the model reads it, for all that is not as it was said. */
  readonly text?: string
}

/** Characters of a hash. */
const HASH_LENGTH = 16

/**
 * Returns a function that makes one line of JSON, with its line end, of a request of this session under a named policy.
 * A block that a policy made has no message. The blocks that it is given must not change.
 */
export const createTraceLines = (
  trajectory: Pick<Trajectory, 'lines'>,
  hasher: Hasher,
): ((policy: string, trace: RequestTrace) => string) => {
  // Most blocks are sent again and again: each is hashed and written as JSON once.
  const whole = new WeakMap<ViewBlock, string>()
  const changed = new WeakMap<ContentBlock, string>()

  /**
   * A block as an object of the line's list, as JSON; with its text only where it is not as it was said. What the
   * policy inserted has no message.
   */
  const json = ({ block, state, tokens, content }: PreparedBlock): string => {
    const { source, kind } = block
    const isMade = kind === 'inserted'
    const traced: TracedBlock = {
      message: isMade ? null : (trajectory.lines[source.seq / STRIDE] ?? null),
      block: isMade ? null : source.block,
      kind,
      state,
      tokens,
      hash: hasher.sha256(JSON.stringify(content)).slice(0, HASH_LENGTH),
      ...(state === 'full' ? {} : { text: textOfBlock(content) }),
    }
    return JSON.stringify(traced)
  }

  /** As `json`, made once for each block that is sent whole, and for each changed content. */
  const jsonOf = (block: PreparedBlock): string => {
    const known = block.state === 'full' ? whole.get(block.block) : changed.get(block.content)
    if (known !== undefined) return known
    const made = json(block)
    if (block.state === 'full') whole.set(block.block, made)
    else changed.set(block.content, made)
    return made
  }

  return (policy, { request, at, prepared }) =>
    `{"policy":${JSON.stringify(policy)},"request":${request},"at":${JSON.stringify(at)},"blocks":[${prepared.blocks.map(jsonOf).join(',')}]}\n`
}
