/**
 * For tests: a model that writes some files, one a request, and acts only on what its request holds. So it does the same
 * after a crash as before it: a step whose result says that it was interrupted is looked at, and done again.
 */
import type { Call, Reply } from '@cairn/core/testing'

/** The files that the task is about, and what they hold when it is done. */
export const stepFiles = (steps: number): ReadonlyMap<string, string> =>
  new Map(
    Array.from({ length: steps }, (_, step) => [`src/file-${step}.txt`, `${step} ${'word '.repeat(1 + step * 7)}\n`]),
  )

interface Block {
  readonly type?: string
  readonly id?: string
  readonly name?: string
  readonly input?: { readonly path?: string }
  readonly tool_use_id?: string
  readonly is_error?: boolean
}

/** A call in the order of the request, with what came of it. */
interface Done {
  readonly name: string
  readonly path: string
  readonly isError: boolean
}

/**
 * Returns what the model says to a request in Anthropic's form: it writes the files one after another, reads one that
 * could not be written, then is done.
 */
export const stepReply = ({ body }: Pick<Call, 'body'>, files: ReadonlyMap<string, string>): Reply => {
  const calls = callsIn(body['messages'])
  for (const [path, content] of files) {
    const own = calls.filter((call) => call.path === path)
    if (own.some(({ name, isError }) => name === 'write_file' && !isError)) continue
    // An error of a write is looked at before the next try; that there is no such file is an answer, too.
    const name = own.at(-1)?.name === 'write_file' ? 'read_file' : 'write_file'
    const input = name === 'write_file' ? { path, content } : { path }
    return {
      blocks: [
        { type: 'text', text: `Now ${path}.` },
        { type: 'tool-call', name, input },
      ],
    }
  }
  return { blocks: [{ type: 'text', text: 'All files are written.' }] }
}

/** Returns the calls in a conversation, and whether each failed. In order. */
const callsIn = (messages: unknown): readonly Done[] => {
  const blocks = (Array.isArray(messages) ? messages : []).flatMap((message: { readonly content?: unknown }) =>
    Array.isArray(message.content) ? (message.content as readonly Block[]) : [],
  )
  const errors = new Set(blocks.flatMap((block) => (block.is_error === true ? [block.tool_use_id] : [])))
  return blocks.flatMap(({ type, id, name = '', input }) =>
    type === 'tool_use' ? [{ name, path: input?.path ?? '', isError: errors.has(id) }] : [],
  )
}
