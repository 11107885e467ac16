/** The thread's side: reads files ahead, drafts the content of their batches, and completes it when it is asked to. */
import { parentPort, workerData } from 'node:worker_threads'
import { CairnError, messageOf, redact } from '@cairn/core'
import type { EntryWrite } from '@cairn/core'
import { createWorkspaceResolver, readAhead } from '@cairn/core/importers'
import type { FileToRead, ReadBatch } from '@cairn/core/importers'
import { createFileSystem, createHasher, createSystemClock } from '@cairn/core/node'
import { contentsOf } from '../repository/batch-contents.ts'
import { completeContent, draftContent } from '../repository/prepared-content.ts'
import type { CompletedContent, ContentDraft, StoredTexts } from '../repository/prepared-content.ts'
import { required } from '../sql/required.ts'
import type { TailSize } from '../search/index-sizes.ts'
import { DIGEST_BYTES, STORED, isReadAheadSetting, lengthsOf } from './messages.ts'
import type { CompletedMessage, DraftFacts, FromThread, ReadError, ToThread } from './messages.ts'

/** Source bytes of drafts that a thread holds before it waits for some of them to be written. */
const MOST_HELD = 4 << 20
/** Batches of drafts, as small ones have a weight too. */
const MOST_BATCHES = 64

interface HeldBatch {
  readonly file: number
  readonly drafts: readonly ContentDraft[]
  readonly bytes: number
}

/** Serves an import until it ends the thread. Throws where this is no thread that reads ahead. */
export const runReadAheadThread = (): void => {
  const port = parentPort
  if (port === null || !isReadAheadSetting(workerData)) throw new Error('This is no thread that reads ahead.')
  const reader = new ThreadReader((message) => port.postMessage(message), workerData.segmentFrom)
  port.on('message', (message: ToThread) => reader.take(message))
}

/** Reads one file after the other, as long as it does not hold too much. */
class ThreadReader {
  readonly #send: (message: FromThread) => void
  readonly #segmentFrom: TailSize
  readonly #clock = createSystemClock()
  readonly #deps
  readonly #held = new Map<number, HeldBatch>()
  readonly #dropped = new Set<number>()
  #bytesHeld = 0
  #lastBatch = 0
  #reading: Promise<void> = Promise.resolve()
  #onRoom: () => void = () => undefined

  constructor(send: (message: FromThread) => void, segmentFrom: TailSize) {
    this.#send = send
    this.#segmentFrom = segmentFrom
    const fileSystem = createFileSystem()
    const workspaceOf = createWorkspaceResolver(fileSystem)
    this.#deps = { fileSystem, hasher: createHasher(), clock: this.#clock, redact, workspaceOf }
  }

  take(message: ToThread): void {
    if (message.kind === 'read') {
      this.#reading = this.#reading.then(() => this.#read(message.file, message.toRead))
    } else if (message.kind === 'complete') {
      void this.#complete(message.batch, message.stored, message.forTail)
    } else if (message.kind === 'release') this.#release(message.batch)
    else {
      this.#dropped.add(message.file)
      for (const [batch, { file }] of this.#held) if (file === message.file) this.#release(batch)
      this.#onRoom()
    }
  }

  /** Gives all of a file. Never rejects. */
  async #read(file: number, toRead: FileToRead): Promise<void> {
    let error: ReadError | undefined
    try {
      for await (const read of this.#dropped.has(file) ? [] : readAhead(toRead, this.#deps)) {
        if (this.#dropped.has(file)) break
        this.#give(file, read)
        // What was asked meanwhile comes first: the import waits for it.
        await this.#clock.turn?.()
        while (!this.#dropped.has(file) && (this.#bytesHeld >= MOST_HELD || this.#held.size >= MOST_BATCHES))
          await new Promise<void>((resolve) => (this.#onRoom = resolve))
      }
    } catch (thrown) {
      error = { message: messageOf(thrown), ...(CairnError.is(thrown) ? { code: thrown.code } : {}) }
    }
    this.#dropped.delete(file)
    this.#send({ kind: 'end', file, ...(error === undefined ? {} : { error }) })
  }

  #give(file: number, read: ReadBatch): void {
    const batch = (this.#lastBatch += 1)
    const { rows } = read
    const drafts = rows === undefined ? [] : contentsOf(rows).map(draftContent)
    if (rows !== undefined) {
      const bytes = drafts.reduce((sum, { runs }) => sum + runs.reduce((all, run) => all + run.bytes, 0), 0)
      this.#held.set(batch, { file, drafts, bytes })
      this.#bytesHeld += bytes
    }
    this.#send({ kind: 'batch', file, batch, read: withoutContent(read), contents: drafts.map(draftFacts) })
  }

  #release(batch: number): void {
    this.#bytesHeld -= this.#held.get(batch)?.bytes ?? 0
    this.#held.delete(batch)
    this.#onRoom()
  }

  /** Never rejects. */
  async #complete(batch: number, stored: readonly Uint8Array[], forTail: boolean): Promise<void> {
    try {
      const { drafts } = required(this.#held.get(batch), 'a batch')
      const completed = await Promise.all(
        drafts.map((draft, index) =>
          completeContent(draft, storedTexts(required(stored[index], 'what is stored')), this.#segmentFrom),
        ),
      )
      const contents = completed.map((content, index) =>
        completedMessage(content, required(drafts[index], 'a draft').writes.length, forTail),
      )
      this.#send({ kind: 'completed', batch, contents })
    } catch (error) {
      this.#send({ kind: 'not-completed', batch, message: messageOf(error) })
    }
  }
}

/** Only what rows and prices are made of is sent: the blocks of messages stay here. */
const withoutContent = (read: ReadBatch): ReadBatch =>
  read.rows === undefined
    ? read
    : {
        ...read,
        rows: {
          ...read.rows,
          source: [],
          sessions: read.rows.sessions.map(({ session, writes }) => ({ session, writes: writes.map(withoutBlocks) })),
        },
      }

const withoutBlocks = (write: EntryWrite): EntryWrite =>
  write.entry.kind === 'message' ? { ...write, entry: { ...write.entry, content: [] } } : write

const draftFacts = ({ runs, draft: { texts } }: ContentDraft): DraftFacts => {
  const digests = new Uint8Array(texts.length * DIGEST_BYTES)
  for (const [number, { digest }] of texts.entries()) digests.set(digest, number * DIGEST_BYTES)
  return { runs, digests, inEntry: Uint8Array.from(texts, ({ inEntry }) => (inEntry ? 1 : 0)) }
}

const storedTexts = (flags: Uint8Array): StoredTexts => {
  const [elsewhere, indexed] = [new Set<number>(), new Set<number>()]
  for (const [number, flag] of flags.entries()) {
    if ((flag & STORED.elsewhere) !== 0) elsewhere.add(number)
    if ((flag & STORED.indexed) !== 0) indexed.add(number)
  }
  return { elsewhere, indexed }
}

const completedMessage = (
  { inline, packed, indexed: { segment, tailOf } }: CompletedContent,
  writes: number,
  forTail: boolean,
): CompletedMessage => ({
  inline,
  packed:
    packed === undefined
      ? undefined
      : { ...packed, blocks: lengthsOf(packed.blocks), slices: lengthsOf(packed.slices) },
  segment,
  tail: segment === undefined || forTail ? Array.from({ length: writes }, (_, write) => tailOf(write)) : undefined,
})
