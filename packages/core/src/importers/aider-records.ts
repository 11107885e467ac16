/**
 * Reads what is new in a chat history of Aider, a section a record. The file only grows; one that was cut or rewritten is
 * read again, which gives the sections that are known their old ids.
 */
import { objectOf, stringOf, type JsonValue } from '../json.ts'
import { ChatSections, NO_CHAT, type ChatSection, type ChatState } from './aider-sections.ts'
import { optional, type RecordBatch, type RecordFileSystem, type RecordRequest } from './importer.ts'
import { splitLines, type SourceItem } from './lines.ts'
import { UNFINISHED } from './record-batches.ts'

/** Bytes before the offset where reading goes on that must be what they were. */
const COMPARED = 256
/** Records that end a batch. */
const BATCH_RECORDS = 200
/** A file that was not written to for so long has no open section, ms. */
const SETTLED_MS = 60_000
const TOO_LONG = 'a line over 32 MiB'

interface Position {
  /** Bytes. */
  readonly offset: number
  readonly chat: ChatState
}

const START: Position = { offset: 0, chat: NO_CHAT }

/**
 * The sections since the last import, in batches; the last one is held back until the file has rested for a while, as
 * it may still grow (`rest`). Each batch has the state to continue from. The last batch may be empty.
 */
export async function* historyRecords(request: RecordRequest): AsyncGenerator<RecordBatch> {
  const { path, fileSystem, now } = request
  const start = await startPosition(request)
  const reader = new SectionReader(start)
  const batch = async (rest: boolean): Promise<RecordBatch> => ({
    ...reader.takeRecords(),
    state: await stateOf(reader.position, path, fileSystem),
    ...(rest ? { rest: UNFINISHED } : {}),
  })
  for await (const lines of splitLines(fileSystem.read(path, start.offset), { offset: start.offset })) {
    for (const line of lines) reader.take(line)
    if (reader.count >= BATCH_RECORDS) yield await batch(true)
  }
  const modifiedAt = (await fileSystem.stat(path))?.modifiedAt ?? now
  if (now - modifiedAt > SETTLED_MS) reader.end()
  yield await batch(!reader.isAtEnd)
}

/** Makes records of lines, and knows up to where they reach (`position`), from where the next run can go on. */
class SectionReader {
  #sections: ChatSections
  #offset: number
  #position: Position
  #records: Uint8Array[] = []
  #notices: string[] = []
  #hasOpenLine = false
  readonly #decoder = new TextDecoder()

  constructor(start: Position) {
    this.#sections = new ChatSections(start.chat)
    this.#offset = start.offset
    this.#position = start
  }

  get count(): number {
    return this.#records.length
  }

  /** Behind the last record. */
  get position(): Position {
    return this.#position
  }

  get isAtEnd(): boolean {
    return this.#sections.isBetween && !this.#hasOpenLine
  }

  /**
   * Takes the file's next line, whose sections become records as they end; a line without an end is left for the next
   * run, one that is too long is told in a notice.
   */
  take({ bytes, endOffset, problem }: SourceItem): void {
    this.#hasOpenLine = problem === 'open'
    if (problem === 'open') return
    if (problem === 'too-long') this.#notices.push(TOO_LONG)
    const ended = this.#sections.take(this.#decoder.decode(bytes))
    // What is open now began with this line, where the line ended what was before it.
    if (ended.length > 0) this.#position = { offset: this.#offset, chat: this.#sections.state }
    this.#offset = endOffset
    this.#add(ended)
  }

  /** Ends the section that is open, which becomes a record: nobody goes on with it. */
  end(): void {
    this.#add(this.#sections.end())
  }

  /** Hands over the records and notices taken so far, and forgets them. */
  takeRecords(): Pick<RecordBatch, 'records' | 'notices'> {
    const taken = { records: this.#records, notices: this.#notices }
    this.#records = []
    this.#notices = []
    return taken
  }

  /** Keeps sections as records; between two sections the position moves on. */
  #add(sections: readonly ChatSection[]): void {
    for (const section of sections) this.#records.push(new TextEncoder().encode(JSON.stringify(section)))
    if (this.#sections.isBetween) this.#position = { offset: this.#offset, chat: this.#sections.state }
  }
}

/**
 * Where the last import ended, if the file is still what it was just before there; the file's start if it was changed,
 * or the state is none of this reader's.
 */
const startPosition = async ({ path, fileSystem, state }: RecordRequest): Promise<Position> => {
  const { offset, before, chat } = objectOf(state)
  if (typeof offset !== 'number' || (await bytesBefore(offset, path, fileSystem)) !== before) return START
  const { chat: started, number, model, isTitled } = objectOf(chat)
  return {
    offset,
    chat: {
      ...optional('chat', stringOf(started)),
      number: typeof number === 'number' ? number : 0,
      ...optional('model', stringOf(model)),
      isTitled: isTitled === true,
    },
  }
}

/** Where to go on in the next run, with the bytes before it to recognise the file by. */
const stateOf = async ({ offset, chat }: Position, path: string, fileSystem: RecordFileSystem): Promise<JsonValue> => ({
  offset,
  before: (await bytesBefore(offset, path, fileSystem)) ?? null,
  chat: { ...chat },
})

/**
 * The last bytes before an offset, at most `COMPARED`, in hexadecimal digits; undefined where the file ends before the
 * offset. '' at the file's start.
 */
const bytesBefore = async (offset: number, path: string, fileSystem: RecordFileSystem): Promise<string | undefined> => {
  const from = Math.max(0, offset - COMPARED)
  let found = ''
  if (from === offset) return found
  for await (const chunk of fileSystem.read(path, from)) {
    for (const byte of chunk.subarray(0, offset - from - found.length / 2)) found += byte.toString(16).padStart(2, '0')
    if (found.length / 2 >= offset - from) return found
  }
  return undefined
}
