/**
 * A session as a file that the editor reads: its beginning at once, then all of it, then what is new, each step only after
 * the editor has taken the one before. Free of the editor, so that it can be tried without one.
 */
import { messageOf } from '@cairn/core'
import type { Store } from '@cairn/core'
import { createSessionReading } from './session-reading.ts'
import type { SessionText } from './session-reading.ts'
import { stepsBetween } from './session-steps.ts'
import { createToolArrivals } from './tool-arrivals.ts'

export interface SessionFileDeps {
  readonly sessionId: string
  /** Undefined while there is no store. Rejects with the reason. */
  readonly store: () => Promise<Pick<Store, 'sessions' | 'usage'> | undefined>
  /** There is another text to be read. */
  readonly onChange: () => void
}

export interface SessionFile {
  /** Counts the texts; bytes. */
  stat(): Promise<{ readonly version: number; readonly size: number }>
  /** The text as it is to be shown now, in UTF-8. */
  content(): Promise<Uint8Array>
  /** Looks whether the session has changed. Never rejects. */
  follow(): Promise<void>
  /** What stands in the text that was read last. */
  shown(): SessionText | undefined
  /** Lines, from 0, of the tools that the editor has read since this was last asked; none of its first reading. */
  arrivedTools(): readonly number[]
}

/** Marks the text as UTF-8, whatever encoding the user has chosen for files. */
const MARK = '\ufeff'

const notice = (sentence: string): SessionText => ({
  header: '',
  body: `# Cairn\n\n${sentence}\n`,
  folds: [],
  landmarks: [],
  isWhole: true,
})

export const createSessionFile = ({ sessionId, store, onChange }: SessionFileDeps): SessionFile => {
  const arrivals = createToolArrivals()
  let reading = createSessionReading(sessionId)
  const encoder = new TextEncoder()
  let current: SessionText | undefined
  let bytes = new Uint8Array()
  let version = 0
  let waiting: readonly SessionText[] = []
  let beginning: Promise<void> | undefined
  let wasRead: SessionText | undefined

  const put = (text: SessionText): void => {
    current = text
    bytes = encoder.encode(MARK + text.header + text.body)
    version += 1
  }

  /** What stands in the session's place. When it can be read again it is read anew, maybe from another store. */
  const instead = (sentence: string): SessionText => {
    reading = createSessionReading(sessionId)
    return notice(sentence)
  }

  const textOf = async (
    read: (opened: Pick<Store, 'sessions' | 'usage'>) => Promise<SessionText>,
  ): Promise<SessionText> => {
    try {
      const opened = await store()
      return opened === undefined
        ? instead('The store is gone; the session shows again when the store is back.')
        : await read(opened)
    } catch (error) {
      return instead(`The session can't be shown: ${messageOf(error)}`)
    }
  }

  /** One reading at a time: each builds on the text before. */
  let turn: Promise<void> = Promise.resolve()
  const readOn = (): Promise<void> => {
    turn = turn.then(async () => {
      const text = await textOf((opened) => reading.read(opened))
      const [next, ...later] = stepsBetween(waiting.at(-1) ?? current, text)
      // A step that waits already goes first.
      if (waiting.length > 0) {
        waiting = [...waiting, ...(next === undefined ? [] : [next]), ...later]
        return
      }
      if (next === undefined) return
      waiting = later
      put(next)
      onChange()
    })
    return turn
  }

  const begin = async (): Promise<void> => {
    put(await textOf((opened) => reading.begin(opened)))
  }

  return {
    stat: async () => {
      await (beginning ??= begin())
      return { version, size: bytes.byteLength }
    },
    content: async () => {
      await (beginning ??= begin())
      const taken = bytes
      // How the first is folded is up to who opens it.
      if (wasRead === undefined && current !== undefined) arrivals.take(current)
      wasRead = current
      // After the answer: the editor reads again once it has this.
      setImmediate(() => {
        const [next, ...later] = waiting
        if (next !== undefined) {
          waiting = later
          put(next)
          onChange()
        } else if (current?.isWhole === false) void readOn()
      })
      return taken
    },
    follow: async () => {
      // Nobody has read it yet, or its end is still being read.
      if (current === undefined || !current.isWhole) return
      try {
        const opened = await store()
        if (opened === undefined || (await reading.isOutdated(opened))) await readOn()
      } catch {
        // The side bar and the status bar say what is wrong; what is open can still be read.
      }
    },
    shown: () => wasRead,
    arrivedTools: () => (wasRead === undefined ? [] : arrivals.take(wasRead)),
  }
}
