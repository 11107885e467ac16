/**
 * A session as a file that the editor reads: its beginning at once, then all of it, then what is new, each step only
 * after the editor has taken the one before. It does not use the editor, so that it can be tested without one.
 */
import { messageOf } from '@cairn/core'
import type { Store } from '@cairn/core'
import { createSessionReading } from './session-reading.ts'
import type { SessionText } from './session-reading.ts'
import { stepsBetween } from './session-steps.ts'
import { createToolArrivals } from './tool-arrivals.ts'

/** What the file of a session needs. */
export interface SessionFileDeps {
  readonly sessionId: string
  /** The store; undefined while there is none. Rejects when it can't be opened. */
  readonly store: () => Promise<Pick<Store, 'sessions' | 'usage'> | undefined>
  /** Called when there is another text to be read. */
  readonly onChange: () => void
}

/** A session as a file of the editor. */
export interface SessionFile {
  /** A version that grows with each text, and the text's size in bytes. */
  stat(): Promise<{ readonly version: number; readonly size: number }>
  /** The text to show now, in UTF-8. */
  content(): Promise<Uint8Array>
  /** Checks whether the session has changed, and reads on if so; nothing before all of it was read. Never rejects. */
  follow(): Promise<void>
  /** The text that the editor has read last. */
  shown(): SessionText | undefined
  /** Lines (from 0) of the tools in what the editor has read since the last call, without its first reading. */
  arrivedTools(): readonly number[]
}

/** Marks the text as UTF-8, whatever encoding the user has chosen for files. */
const MARK = '\ufeff'

/** Returns a text that says why there is no session to show. */
const notice = (sentence: string): SessionText => ({
  header: '',
  body: `# Cairn\n\n${sentence}\n`,
  folds: [],
  landmarks: [],
  entries: [],
  isWhole: true,
})

/** The texts that the editor reads one after the other: it has to read each before it may see the next. */
interface TextQueue {
  readonly current: SessionText | undefined
  /** The current text in UTF-8. */
  readonly bytes: Uint8Array
  /** Counts the texts. */
  readonly version: number
  /** Makes a text the current one, without calling `onChange`. */
  set(text: SessionText): void
  /** Adds a text, in steps that keep the editor's folds; goes to the first step at once if none is waiting. */
  add(text: SessionText): void
  /** Goes to the next step; false when none is waiting. */
  advance(): boolean
}

/**
 * Returns an empty queue of texts that an editor is shown one after another; `add` makes steps of a text, `advance`
 * goes on to the next, and both call `onChange` whenever there is another text to be read; `set` does not.
 */
const createTextQueue = (onChange: () => void): TextQueue => {
  const encoder = new TextEncoder()
  let current: SessionText | undefined
  let bytes = new Uint8Array()
  let version = 0
  let waiting: readonly SessionText[] = []

  const set = (text: SessionText): void => {
    current = text
    bytes = encoder.encode(MARK + text.header + text.body)
    version += 1
  }
  const advance = (): boolean => {
    const [next, ...later] = waiting
    if (next === undefined) return false
    waiting = later
    set(next)
    onChange()
    return true
  }
  return {
    get current() {
      return current
    },
    get bytes() {
      return bytes
    },
    get version() {
      return version
    },
    set,
    add: (text) => {
      const isIdle = waiting.length === 0
      waiting = [...waiting, ...stepsBetween(waiting.at(-1) ?? current, text)]
      if (isIdle) advance()
    },
    advance,
  }
}

/** Where the texts come from. It never rejects: a failure is a text that says what is wrong. */
interface TextSource {
  /** The beginning of the session. */
  begin(): Promise<SessionText>
  /** All of the session as it is now. */
  read(): Promise<SessionText>
  /** Whether the store is gone or the session has changed. Rejects when the store can't be asked. */
  hasChanged(): Promise<boolean>
}

/**
 * Returns the source of the texts of a session in the store. Nothing of it rejects but `hasChanged`: a failure is a
 * text that says what is wrong, and reading starts again then.
 */
const createTextSource = ({ sessionId, store }: Pick<SessionFileDeps, 'sessionId' | 'store'>): TextSource => {
  let reading = createSessionReading(sessionId)

  /**
   * A notice instead of the session, which is read from its beginning when it can be read again, perhaps from another
   * store.
   */
  const noticeInstead = (sentence: string): SessionText => {
    reading = createSessionReading(sessionId)
    return notice(sentence)
  }
  const textOf = async (
    read: (opened: Pick<Store, 'sessions' | 'usage'>) => Promise<SessionText>,
  ): Promise<SessionText> => {
    try {
      const opened = await store()
      return opened === undefined
        ? noticeInstead('The store is gone; the session shows again when the store is back.')
        : await read(opened)
    } catch (error) {
      return noticeInstead(`The session can't be shown: ${messageOf(error)}`)
    }
  }
  return {
    begin: () => textOf((opened) => reading.begin(opened)),
    read: () => textOf((opened) => reading.read(opened)),
    hasChanged: async () => {
      const opened = await store()
      return opened === undefined || (await reading.isOutdated(opened))
    },
  }
}

/**
 * Returns the file of one session. Nothing is read until the editor asks. None of it rejects: what is wrong with store
 * or session is the file's text. `arrivedTools` returns lines from 0, each only once. A text is given in steps: the
 * editor reads the next after it has taken one.
 */
export const createSessionFile = ({ sessionId, store, onChange }: SessionFileDeps): SessionFile => {
  const source = createTextSource({ sessionId, store })
  const queue = createTextQueue(onChange)
  const arrivals = createToolArrivals()
  let beginning: Promise<void> | undefined
  let lastRead: SessionText | undefined

  const begin = (): Promise<void> => (beginning ??= source.begin().then((text) => queue.set(text)))

  /** One reading at a time: each builds on the text before. */
  let turn: Promise<void> = Promise.resolve()
  const readOn = (): Promise<void> => {
    turn = turn.then(async () => queue.add(await source.read()))
    return turn
  }

  return {
    stat: async () => {
      await begin()
      return { version: queue.version, size: queue.bytes.byteLength }
    },
    content: async () => {
      await begin()
      const taken = queue.bytes
      // Whoever opens the document folds its first text.
      if (lastRead === undefined && queue.current !== undefined) arrivals.take(queue.current)
      lastRead = queue.current
      // After this answer, as the editor reads again only once it has it.
      setImmediate(() => {
        if (!queue.advance() && queue.current?.isWhole === false) void readOn()
      })
      return taken
    },
    follow: async () => {
      // Nobody has read it yet, or its end is still being read.
      if (queue.current?.isWhole !== true) return
      try {
        if (await source.hasChanged()) await readOn()
      } catch {
        // The side bar and the status bar say what is wrong; what is open can still be read.
      }
    },
    shown: () => lastRead,
    arrivedTools: () => (lastRead === undefined ? [] : arrivals.take(lastRead)),
  }
}
