/**
 * Finds messages that fit the authors, dates and files that a query names, though they may hold none of its terms.
 */
import type { DatePart } from '../rank/dates.ts'
import { fileNameHash } from '../rank/spoken-files.ts'
import type { Corpus } from './corpus.ts'
import { FILE_OPERATIONS } from './message-codec.ts'
import type { Segment } from './segment.ts'
import type { View } from './view.ts'

/** How many messages are taken by score, and how many of the newest. */
const MOST_BEST = 200
const MOST_NEWEST = 100
const EDIT = FILE_OPERATIONS.indexOf('edit')

/** The authors of a segment by its list, which never changes. */
const authorsBySegment = new WeakMap<Uint32Array, ReadonlySet<number>>()

/**
 * The hashes of the names of all authors in the view, 0 for messages without one among them. Empty where no message has
 * one.
 */
export const listAuthors = ({ segments }: View): ReadonlySet<number> => {
  const authors = new Set<number>()
  for (const {
    segment: { author },
  } of segments) {
    if (author.length === 0) continue
    let authorsOfSegment = authorsBySegment.get(author)
    if (authorsOfSegment === undefined) authorsBySegment.set(author, (authorsOfSegment = new Set(author)))
    for (const one of authorsOfSegment) authors.add(one)
  }
  return authors
}

/** What tools did to the files that a query names. */
const TOUCHED = { no: 0, read: 1, edited: 2 } as const

/**
 * Messages (numbers in storage order) whose tools touched such a file: 1 read or mentioned, 2 edited. Empty without a
 * test, or where no path passes it.
 */
export const messagesTouching = (
  { segments }: View,
  isFile: ((path: string) => boolean) | undefined,
): ReadonlyMap<number, number> => {
  const touches = new Map<number, number>()
  if (isFile === undefined) return touches
  for (const { segment, messageBase } of segments) {
    const isWanted = segment.paths.map(isFile)
    if (!isWanted.includes(true)) continue
    segment.touchPath.forEach((path, index) => {
      if (isWanted[path] !== true) return
      const message = messageBase + (segment.touchMessage[index] as number)
      touches.set(
        message,
        Math.max(
          touches.get(message) ?? TOUCHED.no,
          segment.touchOperation[index] === EDIT ? TOUCHED.edited : TOUCHED.read,
        ),
      )
    })
  }
  return touches
}

/** The hashes of file names of a segment by its list of paths, which never changes. */
const namesBySegment = new WeakMap<readonly string[], Uint32Array>()

/** Messages (numbers in storage order) whose tools edited a file with one of these names, as hashes of `fileNameHash`. */
export const messagesEditing = ({ segments }: View, names: ReadonlySet<number>): ReadonlySet<number> => {
  const editing = new Set<number>()
  if (names.size === 0) return editing
  for (const { segment, messageBase } of segments) {
    const { paths } = segment
    let hashes = namesBySegment.get(paths)
    if (hashes === undefined) namesBySegment.set(paths, (hashes = Uint32Array.from(paths, fileNameHash)))
    const wanted = new Set<number>()
    for (let path = 0; path < hashes.length; path += 1) if (names.has(hashes[path] as number)) wanted.add(path)
    if (wanted.size === 0) continue
    segment.touchPath.forEach((path, index) => {
      if (wanted.has(path) && segment.touchOperation[index] === EDIT)
        editing.add(messageBase + (segment.touchMessage[index] as number))
    })
  }
  return editing
}

/** What a query names. */
export interface Named {
  /** Hashes of the named authors. */
  readonly authors: ReadonlySet<number>
  readonly dates: readonly DatePart[]
  /** Messages that touched the named files, see {@link messagesTouching}. */
  readonly touches: ReadonlyMap<number, number>
}

/**
 * Positions of messages that fit the authors and dates (both, if both are named; the dates alone where no message fits
 * both) or touched the files: not all, but the best by rough score (by position) and the newest. `wanted`: by message
 * in storage order, 1: let through.
 */
export const findNamedMessages = (
  view: View,
  { allowed }: Pick<Corpus, 'allowed'>,
  { authors, dates, touches }: Named,
  rough: Float32Array,
  wanted: Uint8Array | undefined,
): ReadonlySet<number> => {
  const found = new Set<number>()
  /** Adds to `found`, of the wanted messages that `fits` gives, those with the best rough scores, and the newest. */
  const take = (fits: (choose: (message: number, at: number, seq: number) => void) => void): void => {
    const [best, newest] = [new HighestKeys(MOST_BEST), new HighestKeys(MOST_NEWEST)]
    fits((message, at, seq) => {
      if (wanted !== undefined && wanted[message] === 0) return
      const position = view.position[message] as number
      const score = rough[position] as number
      if (score > 0) best.add(score, position)
      // Without a time, later messages of a session count as newer.
      newest.add(Number.isNaN(at) ? seq - Number.MAX_SAFE_INTEGER : at, position)
    })
    for (const position of [...best.positions(), ...newest.positions()]) found.add(position)
  }
  const isAllowed = (segment: Segment, passageBase: number, message: number): boolean =>
    allowed === undefined || allowed[passageBase + (segment.firstPassage[message] as number)] === 1
  if (authors.size > 0 || dates.length > 0) {
    const spans = spansOf(view, dates)
    take((choose) => {
      // The newest messages are mostly in the last segment.
      for (const { segment, messageBase, passageBase } of [...view.segments].reverse()) {
        if (authors.size > 0 && segment.author.length === 0) continue
        for (let message = segment.messages - 1; message >= 0; message -= 1) {
          if (authors.size > 0 && !authors.has(segment.author[message] as number)) continue
          const at = segment.at[message] as number
          if ((spans === undefined || isWithin(spans, at)) && isAllowed(segment, passageBase, message))
            choose(messageBase + message, at, segment.seq[message] as number)
        }
      }
    })
  }
  // The named author may be no author of this corpus.
  if (found.size === 0 && authors.size > 0 && dates.length > 0)
    return findNamedMessages(view, { allowed }, { authors: new Set(), dates, touches }, rough, wanted)
  if (touches.size > 0) {
    take((choose) => {
      for (const { segment, messageBase, passageBase } of view.segments) {
        let last = -1
        for (const message of segment.touchMessage) {
          if (message !== last && touches.has(messageBase + message) && isAllowed(segment, passageBase, message))
            choose(messageBase + message, segment.at[message] as number, segment.seq[message] as number)
          last = message
        }
      }
    })
  }
  return found
}

/**
 * Pairs of times (ms) from and before which a date lasts; undefined: any time. A date without a year means every year
 * with messages. A day counts until the end of its month.
 */
const spansOf = ({ segments }: View, dates: readonly DatePart[]): Float64Array | undefined => {
  if (dates.length === 0) return undefined
  let [first, last] = [Infinity, -Infinity]
  if (dates.some(({ year }) => year === undefined)) {
    for (const {
      segment: { at },
    } of segments) {
      for (let message = 0; message < at.length; message += 1) {
        const time = at[message] as number
        if (time < first) first = time
        if (time > last) last = time
      }
    }
  }
  const [from, to] = first > last ? [0, -1] : [new Date(first).getUTCFullYear(), new Date(last).getUTCFullYear()]
  return Float64Array.from(
    dates.flatMap(({ year, month, day = 1 }) => {
      const years =
        year === undefined ? Array.from({ length: Math.min(to - from + 1, 200) }, (_, index) => to - index) : [year]
      return years.flatMap((one) =>
        month === undefined
          ? [Date.UTC(one, 0), Date.UTC(one + 1, 0)]
          : [Date.UTC(one, month, day), Date.UTC(one, month + 1)],
      )
    }),
  )
}

/** Whether a time lies in one of the spans, whose start belongs to it and whose end does not. */
const isWithin = (spans: Float64Array, at: number): boolean => {
  for (let index = 0; index < spans.length; index += 2)
    if (at >= (spans[index] as number) && at < (spans[index + 1] as number)) return true
  return false
}

/** Keeps the positions with the `most` highest keys, and those with the lowest key among them, up to four times as many. */
class HighestKeys {
  readonly #most: number
  #least = -Infinity
  #keys: number[] = []
  #positions: number[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Adds a position with its key; ignored if it is below the keys kept. More than `most` may be kept in between. */
  add(key: number, position: number): void {
    if (key < this.#least) return
    this.#keys.push(key)
    this.#positions.push(position)
    if (this.#keys.length >= this.#most * 8) this.#cut()
  }

  /**
   * The positions of the highest keys, in the order they were added: at most `most`, or up to four times that where
   * keys are equal.
   */
  positions(): readonly number[] {
    this.#cut()
    return this.#positions
  }

  /** Drops what is below the `most` highest keys; of equal keys there may be up to four times as many. */
  #cut(): void {
    if (this.#keys.length <= this.#most) return
    this.#least = Float64Array.from(this.#keys).sort()[this.#keys.length - this.#most] as number
    const kept = [...this.#keys.keys()]
      .filter((index) => (this.#keys[index] as number) >= this.#least)
      .slice(0, this.#most * 4)
    this.#keys = kept.map((index) => this.#keys[index] as number)
    this.#positions = kept.map((index) => this.#positions[index] as number)
  }
}
