/** A command's terminal: output, colours, width, questions. */
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { Interrupted } from '../runtime/failure.ts'
import { wrapSentences } from './wrap.ts'

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan'

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
}

/** Columns if the output is no terminal. */
const PIPE_WIDTH = 80
const NARROWEST = 40

/** The terminal, or the pipes, that a command prints to. */
export interface Terminal {
  /** Writes to standard output; resolves when more may be written. After a failure it does nothing. */
  write(text: string): Promise<void>
  /** Writes a line, with its line end, to standard output; resolves when more may be written. */
  line(text?: string): Promise<void>
  /** A line on standard error; on a terminal it is broken between words where the terminal ends. */
  note(text: string): void
  /** Raw text on standard error, for progress. */
  progress(text: string): void
  /** The text with the escape sequences of a style around it; as it is where colours are off. */
  style(style: Style, text: string): string
  /** Columns for tables on standard output. */
  readonly width: number
  readonly errorWidth: number
  /** Why nothing more can be written to standard output (the reader is gone, the disk is full). */
  readonly outputFailure: NodeJS.ErrnoException | undefined
  /** Resolves when all that was written has left this process, or can't. */
  flush(): Promise<void>
  readonly isOutputTerminal: boolean
  readonly isErrorTerminal: boolean
  /** Whether a user can answer questions. */
  readonly canAsk: boolean
  /** Asks on standard error; undefined when the input ends without an answer. Rejects with `Interrupted` at Ctrl-C. */
  ask(question: string): Promise<string | undefined>
  /** As `ask`, and shows nothing of the answer. */
  askHidden(question: string): Promise<string | undefined>
}

/** The streams and environment of a process. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly error: NodeJS.WriteStream
  readonly variables: Readonly<Record<string, string | undefined>>
}

/**
 * Returns whether to print colours: by option, `NO_COLOR`, `FORCE_COLOR`, then the stream. `wanted`: false for
 * `--no-color`.
 */
const usesColours = ({ output, variables }: TerminalStreams, wanted: boolean): boolean => {
  if (!wanted || (variables['NO_COLOR'] ?? '') !== '') return false
  const forced = variables['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0'
  return output.isTTY && variables['TERM'] !== 'dumb'
}

/** Standard output with its back pressure and its failure. */
type OutputWriter = Pick<Terminal, 'write' | 'flush' | 'outputFailure'>

/**
 * Returns a writer to a stream; after a failure it does nothing, and `outputFailure` is the first one. `write` resolves
 * when the stream takes more.
 */
const createOutputWriter = (output: NodeJS.WriteStream): OutputWriter => {
  let outputFailure: NodeJS.ErrnoException | undefined
  /** Writers that wait until the stream takes more; one that failed never drains. */
  const waiting = new Set<() => void>()
  const resumeWriters = (): void => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  output.on('drain', resumeWriters)
  output.on('error', (cause) => {
    outputFailure ??= cause
    resumeWriters()
  })
  return {
    write: (text) =>
      new Promise((resolve) => {
        if (outputFailure !== undefined || output.write(text)) resolve()
        else waiting.add(resolve)
      }),
    flush: () =>
      new Promise((resolve) => {
        if (outputFailure !== undefined) resolve()
        else
          output.write('', (cause) => {
            outputFailure ??= cause ?? undefined
            resolve()
          })
      }),
    get outputFailure() {
      return outputFailure
    },
  }
}

/** Makes Ctrl-C at a question reject it, so that nothing is done. @param reject is called with `Interrupted` */
const rejectOnInterrupt = (lines: Interface, reject: (reason: Interrupted) => void): void => {
  lines.on('SIGINT', () => {
    reject(new Interrupted('Stopped; nothing was changed.'))
    lines.close()
  })
}

/**
 * Asks a question on `error` and returns the trimmed line; undefined if the input ends without one. Rejects with
 * `Interrupted` on Ctrl-C.
 */
const askOn = (
  { input, error }: Pick<TerminalStreams, 'input' | 'error'>,
  question: string,
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const lines = createInterface({ input, output: error })
    let answer: string | undefined
    lines.on('close', () => {
      if (answer === undefined) error.write('\n')
      resolve(answer)
    })
    rejectOnInterrupt(lines, reject)
    lines.question(question, (text) => {
      answer = text.trim()
      lines.close()
    })
  })

/**
 * As `askOn`, for an answer that must not be seen: the terminal leaves the echo to the line editor, whose output is
 * discarded. Not trimmed.
 */
const askHiddenOn = (
  { input, error }: Pick<TerminalStreams, 'input' | 'error'>,
  question: string,
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
    const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 })
    let answer: string | undefined
    lines.on('close', () => {
      error.write('\n')
      resolve(answer)
    })
    rejectOnInterrupt(lines, reject)
    error.write(question)
    lines.question('', (text) => {
      answer = text
      lines.close()
    })
  })

/** The columns of a stream's terminal, at least 40; 80 for a pipe, and for a terminal that reports 0. */
const widthOf = (stream: NodeJS.WriteStream): number =>
  stream.isTTY && stream.columns !== 0 ? Math.max(NARROWEST, stream.columns) : PIPE_WIDTH

/**
 * Creates the terminal of a process. `colours` is false with `--no-color`; if it is true, `NO_COLOR`, `FORCE_COLOR` and
 * the stream still decide.
 */
export const createTerminal = (streams: TerminalStreams, colours: boolean): Terminal => {
  const { input, output, error } = streams
  const coloured = usesColours(streams, colours)
  const writer = createOutputWriter(output)
  return {
    write: (text) => writer.write(text),
    line: (text = '') => writer.write(`${text}\n`),
    note: (text) => void error.write(`${error.isTTY ? wrapSentences(text, widthOf(error)) : text}\n`),
    progress: (text) => void error.write(text),
    style: (style, text) => {
      const [start, end] = CODES[style]
      return coloured && text !== '' ? `\u001b[${start}m${text}\u001b[${end}m` : text
    },
    get width() {
      return widthOf(output)
    },
    get errorWidth() {
      return widthOf(error)
    },
    get outputFailure() {
      return writer.outputFailure
    },
    flush: () => writer.flush(),
    isOutputTerminal: output.isTTY,
    isErrorTerminal: error.isTTY,
    canAsk: input.isTTY && error.isTTY,
    ask: (question) => askOn(streams, question),
    askHidden: (question) => askHiddenOn(streams, question),
  }
}
