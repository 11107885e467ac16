/**
 * Threads that read files ahead of the thread that imports. Questions are answered, and batches committed, in the order of
 * the files, whichever thread is faster: the store becomes the one that a single thread would make.
 */
import { Worker } from 'node:worker_threads'
import type { ImportBatch, ImportCounts } from '@cairn/core'
import type { BatchAhead, FileAhead, FileEnd, ReadAhead } from '@cairn/core/importers'
import type { AnnouncedBlocks } from '../repository/announced-blocks.ts'
import { contentsOf } from '../repository/batch-contents.ts'
import type { FindBlocks, PreparedContent } from '../repository/prepared-content.ts'
import { required } from '../sql/required.ts'
import type {
  BlockQuestion,
  FromReader,
  PreparedParts,
  ReadBatch,
  ReadEnd,
  ReadingSetting,
  ToReader,
} from './messages.ts'

/** Files that a thread is given at once, so that it has the next when one is read. */
const FILES_AT_ONCE = 2

/** What the threads' batches are committed with. */
export interface ReadAheadStore {
  /** A new write's blocks among those of all running ones. */
  announce(): AnnouncedBlocks
  findBlocks(announced: AnnouncedBlocks): FindBlocks
  /** Undefined when another importer was faster, or a block is gone that the content counts on. */
  commit(batch: ImportBatch, contents: readonly PreparedContent[]): Promise<ImportCounts | undefined>
}

/** How threads are started. */
export interface ReadingThreads {
  readonly program: URL
  readonly count: number
  readonly setting: ReadingSetting
}

/** A file that is read ahead. */
interface Job {
  readonly file: FileAhead
  readonly batches: ReadBatch[]
  /** By batch. */
  readonly announced: Map<number, AnnouncedBlocks>
  /** Not answered yet: its turn has not come. */
  readonly questions: BlockQuestion[]
  reader: Reader | undefined
  end: ReadEnd | undefined
  /** A question of it was answered. */
  hasAnswers: boolean
  isDropped: boolean
  wake: (() => void) | undefined
}

interface Reader {
  readonly worker: Worker
  readonly hasExited: Promise<void>
  readonly jobs: Set<Job>
}

/** Starts threads that read these files, in the order of their positions. Throws where a thread can't be made. */
export const startReadAhead = (
  files: readonly FileAhead[],
  store: ReadAheadStore,
  threads: ReadingThreads,
): ReadAhead => new Reading(files, store, threads)

class Reading implements ReadAhead {
  readonly #jobs: ReadonlyMap<number, Job>
  /** Files that no thread has yet. */
  readonly #unread: Job[]
  readonly #store: ReadAheadStore
  /** Those that still read. */
  readonly #readers = new Set<Reader>()
  readonly #started: Reader[] = []
  /** The first position that is not passed. */
  #position = 0
  #answering: Promise<void> = Promise.resolve()

  constructor(files: readonly FileAhead[], store: ReadAheadStore, { program, count, setting }: ReadingThreads) {
    this.#store = store
    this.#unread = files.map(newJob)
    this.#jobs = new Map(this.#unread.map((job) => [job.file.position, job]))
    for (let started = 0; started < Math.min(count, files.length); started += 1) this.#start(program, setting)
  }

  async next(position: number): Promise<BatchAhead | FileEnd | undefined> {
    const job = this.#jobs.get(position)
    if (job === undefined) return undefined
    while (!job.isDropped && job.batches.length === 0 && job.end === undefined)
      await new Promise<void>((resolve) => (job.wake = resolve))
    if (job.isDropped) return undefined
    const next = job.batches.shift()
    if (next === undefined) return job.end?.end
    tell(job, { taken: true })
    return { ...next.facts, commit: (batch) => this.#commit(job, next, batch) }
  }

  leave(position: number): void {
    for (const [later, job] of this.#jobs)
      if (later === position || (later > position && job.hasAnswers)) this.#drop(job)
  }

  pass(position: number): void {
    const job = this.#jobs.get(position)
    if (job !== undefined && job.end === undefined) this.#drop(job)
    this.#position = position + 1
    this.#answerOpen()
  }

  async close(): Promise<void> {
    this.#readers.clear()
    for (const job of this.#jobs.values()) this.#drop(job)
    await Promise.all(this.#started.map(endReader))
    await this.#answering
  }

  #start(program: URL, setting: ReadingSetting): void {
    const worker = new Worker(program, { workerData: setting, name: 'import', execArgv: execArgvOf(program) })
    const hasExited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const reader: Reader = { worker, hasExited, jobs: new Set() }
    this.#readers.add(reader)
    this.#started.push(reader)
    worker.on('message', (message: FromReader) => this.#hear(reader, message))
    // What it had is read by whoever imports, who comes to the same error if the file is to blame.
    for (const event of ['error', 'messageerror', 'exit']) worker.on(event, () => this.#lose(reader))
    this.#feed(reader)
  }

  #lose(reader: Reader): void {
    this.#readers.delete(reader)
    for (const job of reader.jobs) this.#endJob(job, undefined)
    if (this.#readers.size === 0) for (const job of this.#unread.splice(0)) this.#endJob(job, undefined)
  }

  /** Gives a thread files to read. */
  #feed(reader: Reader): void {
    while (reader.jobs.size < FILES_AT_ONCE) {
      const job = this.#unread.shift()
      if (job === undefined) return
      if (job.isDropped) continue
      job.reader = reader
      reader.jobs.add(job)
      reader.worker.postMessage({ file: job.file } satisfies ToReader)
    }
  }

  #hear(reader: Reader, message: FromReader): void {
    const job = required(this.#jobs.get(message.position), 'a file that is read ahead')
    if ('ask' in message) {
      if (job.isDropped) return
      job.questions.push(message)
      this.#answerOpen()
      return
    }
    if ('facts' in message) {
      if (job.isDropped) tell(job, { taken: true })
      else job.batches.push(message)
      job.wake?.()
      return
    }
    reader.jobs.delete(job)
    this.#endJob(job, message.end)
    this.#feed(reader)
    this.#answerOpen()
  }

  #endJob(job: Job, end: FileEnd | undefined): void {
    job.end ??= { position: job.file.position, end }
    job.wake?.()
  }

  /** Nothing of it is committed any more. */
  #drop(job: Job): void {
    if (job.isDropped) return
    job.isDropped = true
    tell(job, { drop: job.file.position })
    job.batches.splice(0).forEach(() => tell(job, { taken: true }))
    job.questions.length = 0
    for (const announced of job.announced.values()) announced.withdraw()
    job.wake?.()
  }

  /** Answers the questions of the file that is imported now, and of those behind it when it has no more. */
  #answerOpen(): void {
    for (let position = this.#position; ; position += 1) {
      const job = this.#jobs.get(position)
      if (job === undefined) return
      for (const question of job.questions.splice(0))
        this.#answering = this.#answering.then(() => this.#answer(job, question))
      if (job.isDropped || job.end?.end === undefined) return
    }
  }

  async #answer(job: Job, { ask, batch, session, texts }: BlockQuestion): Promise<void> {
    if (job.isDropped) return
    job.hasAnswers = true
    const announced = job.announced.get(batch) ?? this.#store.announce()
    job.announced.set(batch, announced)
    try {
      const found = await this.#store.findBlocks(announced)(session, texts)
      this.#tellFound(job, announced, { answer: ask, found })
    } catch {
      // Whoever imports comes to the store's error.
      this.#drop(job)
    }
  }

  /** The file may have been dropped while the store was asked. */
  #tellFound(job: Job, announced: AnnouncedBlocks, answer: ToReader): void {
    if (job.isDropped) announced.withdraw()
    else tell(job, answer)
  }

  async #commit(
    job: Job,
    { batch: number, contents }: ReadBatch,
    batch: ImportBatch,
  ): Promise<ImportCounts | undefined> {
    try {
      const sessions = contentsOf(batch)
      return await this.#store.commit(
        batch,
        contents.map((parts, index) => preparedOf(parts, required(sessions[index], 'the session of prepared content'))),
      )
    } finally {
      job.announced.get(number)?.withdraw()
      job.announced.delete(number)
    }
  }
}

/**
 * Asks a thread to end, and waits until it has: within a batch. It is never stopped from outside, where it may be in the middle
 * of native code.
 */
const endReader = async ({ worker, hasExited }: Reader): Promise<void> => {
  worker.postMessage({ end: true } satisfies ToReader)
  await hasExited
}

const newJob = (file: FileAhead): Job => ({
  file,
  batches: [],
  announced: new Map(),
  questions: [],
  reader: undefined,
  end: undefined,
  hasAnswers: false,
  isDropped: false,
  wake: undefined,
})

/** Tells the thread of a file; one that has ended hears nothing. */
const tell = ({ reader }: Job, message: ToReader): void => reader?.worker.postMessage(message)

/** Sources are run as they are; a bundle needs none of the flags of this process. */
const execArgvOf = ({ pathname }: URL): string[] => (pathname.endsWith('.ts') ? ['--conditions=@cairn/source'] : [])

const preparedOf = (
  { segment, tail, ...parts }: PreparedParts,
  { session, writes }: Pick<PreparedContent, 'session' | 'writes'>,
): PreparedContent => ({ ...parts, session, writes, indexed: { segment, tailOf: (write) => tail[write] } })
