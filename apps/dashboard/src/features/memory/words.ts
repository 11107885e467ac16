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

/** The kind of an entry for people: `context rule`. */
export const kindName = (kind: MemoryKind): string => kind.replaceAll('_', ' ')

/** A share of 0 … 1 as whole percent: `93 %`, as `cairn memory` says it. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

const SHOWN = 8
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

/** The end of an entry's id, in small letters, by which commands find it; an id of another form as it is. */
export const shortId = (id: string): string => (ULID.test(id) ? id.slice(-SHOWN).toLowerCase() : id)
