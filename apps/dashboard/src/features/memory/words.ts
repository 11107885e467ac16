/** How the page says what the memory holds. */
import type { MemoryKind } from '@cairn/core'

/** In the order of the command line. */
export const KINDS = [
  'discovery',
  'solution',
  'pattern',
  'workflow',
  'failure',
  'context_rule',
] as const satisfies readonly MemoryKind[]

/** Returns an entry's kind for people: `context rule`. */
export const kindName = (kind: MemoryKind): string => kind.replaceAll('_', ' ')

/** Returns a share of 0 to 1 as whole percent, `93 %`, as `cairn memory` prints it. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Returns how often something happened: `once`, `3 times`. */
export const times = (count: number): string => (count === 1 ? 'once' : `${count.toLocaleString('en-US')} times`)

const SHOWN = 8
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

/** Returns the end of an entry's id, in lower case, by which commands find it; an id of another form unchanged. */
export const shortId = (id: string): string => (ULID.test(id) ? id.slice(-SHOWN).toLowerCase() : id)
