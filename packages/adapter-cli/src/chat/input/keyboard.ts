/**
 * The keys of a terminal, passed to one line editor after another. Keys typed while there is none wait for the next;
 * only Ctrl-C takes effect immediately.
 */
import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createKeyFilter } from './key-filter.ts'

const INTERRUPT = '\u0003'
const PASTES_ON = '\u001b[?2004h'
const PASTES_OFF = '\u001b[?2004l'

/** The stream that a line editor reads keys from. The editor pauses it while it looks for completions. */
interface KeyStream extends Readable {
  setRawMode(isRaw: boolean): this
}

/** A terminal in raw mode. */
export interface Keyboard {
  readonly keys: KeyStream
  /**
   * Gives keys to the editor that reads `keys`, until `end`. With `ahead` what was typed before stands in its line, but
   * is not sent: nobody saw it. Without, it waits for another editor.
   */
  begin(options: { readonly ahead: boolean }): void
  /**
   * Keys wait again. Those that the editor was not given yet are kept, and those that were held back come before them.
   */
  end(): void
  /** The terminal is as it was before. */
  close(): void
}

/** The terminal's streams, and who is told what. */
export interface KeyboardOptions {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** What stands in a line for a pasted text. */
  readonly paste: (text: string) => string
  /** Ctrl-C while no editor reads. */
  readonly onInterrupt: () => void
  /** No key will come any more. */
  readonly onEnd: () => void
}

/** Keys up to one after which another editor may be reading: Enter, or Tab, which looks for completions. */
const STEP = /^[^\r\t]*[\r\t]?/

/**
 * Takes over a terminal (raw mode): keys arrive one by one without echo, and pastes are marked. `close` restores it.
 * Keys are read between `begin` and `end`; with `ahead` those pressed before count, without it they wait for the next
 * `begin`. Ctrl-C while nothing reads calls `onInterrupt`.
 */
export const openKeyboard = ({ input, output, paste, onInterrupt, onEnd }: KeyboardOptions): Keyboard => {
  const decoder = new StringDecoder('utf8')
  const filter = createKeyFilter(paste)
  let waitingKeys = ''
  let heldBack = ''
  let isReading = false

  /** Gives the editor the keys that wait, up to Enter or Tab at a time, until it stops reading. */
  const pump = (): void => {
    while (isReading && waitingKeys !== '' && !keys.isPaused()) {
      const [step = ''] = STEP.exec(waitingKeys) ?? []
      waitingKeys = waitingKeys.slice(step.length)
      keys.emit('data', step)
    }
  }
  const keys = createKeyStream(input, pump)

  /** Takes what the terminal sends: keys for the editor, or Ctrl-C while none reads, which drops the keys that wait. */
  const take = (bytes: Buffer | string): void => {
    const text = filter.take(typeof bytes === 'string' ? bytes : decoder.write(bytes))
    if (!isReading && text.includes(INTERRUPT)) {
      waitingKeys = ''
      onInterrupt()
      return
    }
    waitingKeys += text
    pump()
  }
  const leave = (): void => void output.write(PASTES_OFF)

  input.setRawMode(true)
  output.write(PASTES_ON)
  input.on('data', take)
  input.on('end', onEnd)
  input.resume()
  process.once('exit', leave)
  return {
    keys,
    begin: ({ ahead }) => {
      if (ahead) waitingKeys = unsent(waitingKeys)
      else {
        heldBack += waitingKeys
        waitingKeys = ''
      }
      isReading = true
      pump()
    },
    end: () => {
      isReading = false
      waitingKeys = heldBack + waitingKeys
      heldBack = ''
      // The editor that was closed has switched it off.
      input.setRawMode(true)
    },
    close: () => {
      process.off('exit', leave)
      input.off('data', take)
      input.off('end', onEnd)
      input.setRawMode(false)
      input.pause()
      leave()
    },
  }
}

/** The keys as text that is not sent: Enter and Tab become blanks. */
const unsent = (keys: string): string => keys.replace(/[\r\t]+$/, '').replaceAll(/[\r\t]+/g, ' ')

/**
 * A stream whose keys are emitted at once, so that an editor has handled them before the next key is looked at. @param
 * onResume called whenever it may be read on
 */
const createKeyStream = (input: NodeJS.ReadStream, onResume: () => void): KeyStream => {
  const stream = new Readable({ read: () => undefined })
  const resume = stream.resume.bind(stream)
  return Object.assign(stream, {
    resume(): Readable {
      resume()
      onResume()
      return stream
    },
    setRawMode(isRaw: boolean): Readable {
      input.setRawMode(isRaw)
      return stream
    },
  }) as unknown as KeyStream
}
