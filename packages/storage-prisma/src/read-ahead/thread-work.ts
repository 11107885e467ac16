/** A batch's content that a thread has drafted, and completes when it is told what is stored of it. */
import type { ContentDraft } from '@cairn/core/importers'
import type { CompleteOptions, ContentWork } from '../repository/batch-contents.ts'
import type { CompletedContent, SessionContent, StoredTexts } from '../repository/prepared-content.ts'
import { toHashKey, type Slice, type TextFacts } from '../packs/pack-draft.ts'
import { required } from '../sql/required.ts'
import { DIGEST_BYTES, STORED } from './messages.ts'
import type { CompletedMessage, DraftFacts } from './messages.ts'

/** Messages that were made into a segment go to the tail one by one after all: complete the content for that. */
export class NotForTail extends Error {
  constructor() {
    super('the messages were not encoded for the tail')
  }
}

/** A batch in a thread. */
export class ThreadDraft implements ContentDraft {
  readonly thread: number
  readonly contents: readonly DraftFacts[]
  readonly complete: (stored: readonly Uint8Array[], forTail: boolean) => Promise<readonly CompletedMessage[]>
  readonly release: () => void

  constructor(thread: number, contents: readonly DraftFacts[], calls: Pick<ThreadDraft, 'complete' | 'release'>) {
    this.thread = thread
    this.contents = contents
    this.complete = calls.complete
    this.release = calls.release
  }
}

/** The work on a batch that a thread has; `contents` in the order in which the thread has drafted them. */
export const threadWork = (draft: ContentDraft, contents: readonly SessionContent[]): ContentWork => {
  if (!(draft instanceof ThreadDraft)) throw new TypeError('a draft of another storage')
  const drafted = contents.map(({ session, writes }, index) => {
    const facts = required(draft.contents[index], 'the draft of a content')
    return { session, writes, runs: facts.runs, texts: textsOf(facts) }
  })
  return {
    contents: drafted,
    complete: async (stored, { forTail = false }: CompleteOptions) => {
      // Only the position in the file is new.
      if (drafted.length === 0) return []
      const flags = drafted.map(({ texts }, index) =>
        flagsOf(texts.length, required(stored[index], 'what is stored of a content')),
      )
      return (await draft.complete(flags, forTail)).map(completedContent)
    },
    release: () => draft.release(),
  }
}

const textsOf = ({ digests, inEntry }: DraftFacts): readonly TextFacts[] =>
  Array.from(inEntry, (flag, number) => {
    const digest = digests.subarray(number * DIGEST_BYTES, (number + 1) * DIGEST_BYTES)
    return { digest, key: toHashKey(digest), inEntry: flag === 1 }
  })

const flagsOf = (count: number, { elsewhere, indexed }: StoredTexts): Uint8Array => {
  const flags = new Uint8Array(count)
  for (const number of elsewhere) flags[number] = STORED.elsewhere | (indexed.has(number) ? STORED.indexed : 0)
  return flags
}

const completedContent = ({ inline, packed, segment, tail }: CompletedMessage): CompletedContent => ({
  inline,
  packed: packed === undefined ? undefined : packedContent(packed),
  indexed: {
    segment,
    tailOf: (write) => {
      if (tail === undefined) throw new NotForTail()
      return tail[write]
    },
  },
})

const packedContent = ({
  rawSize,
  data,
  blocks,
  slices,
}: NonNullable<CompletedMessage['packed']>): NonNullable<CompletedContent['packed']> => {
  let offset = 0
  const next = (length: number): Slice => {
    const slice = { offset, length }
    offset += length
    return slice
  }
  const positions = Array.from(blocks, (length) => (length === 0 ? undefined : next(length)))
  return { rawSize, data, blocks: positions, slices: Array.from(slices, next) }
}
