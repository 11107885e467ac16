/** The focus of a workspace, as it is stored: in the workspace's state, read again for each request. */
import { CairnError } from '../errors.ts'
import { assertName } from '../input.ts'
import type { StateScope, StateStorage } from '../ports/state-storage.ts'
import { redact } from '../redaction/index.ts'
import { cleanText, oneLine } from '../summary/bounded-text.ts'

export interface WorkspaceFocus {
  /** The focus; undefined where there is none. */
  get(workspace: string): Promise<string | undefined>
  /**
   * Sets it, on one line; secrets in it are replaced. Returns what is stored. Rejects with `usage` for a text without
   * content or over 500 characters: the focus then stays as it was.
   */
  set(workspace: string, text: string): Promise<string>
  /** Returns what it was; undefined: there was none. */
  clear(workspace: string): Promise<string | undefined>
}

const KEY = 'context.focus'
/** It is in every request. */
const LONGEST_FOCUS = 500

const scopeOf = (workspace: string): StateScope => ({ tier: 'workspace', workspace })

/** The focus of a session's workspace; undefined where it has none, or no workspace. */
export const focusOf = async (
  state: Pick<StateStorage, 'get'>,
  workspace: string | null | undefined,
): Promise<string | undefined> => {
  if (workspace === null || workspace === undefined || workspace === '') return undefined
  const value = await state.get(scopeOf(workspace), KEY)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * The focus of workspaces, kept in a storage; nothing is kept in memory. For no workspace `get` gives undefined, `set`
 * and `clear` reject with `invalid-input`. All reject as the storage does. `set` stores one line without secrets or
 * control characters, and returns it; it rejects with `usage` for an empty or too long text. `clear` returns what was
 * there.
 */
export const createWorkspaceFocus = (state: Pick<StateStorage, 'get' | 'set' | 'take'>): WorkspaceFocus => ({
  get: (workspace) => focusOf(state, workspace),
  set: async (workspace, given) => {
    assertName(workspace, 'The workspace')
    const text = oneLine(cleanText(redact(given).text))
    if (text === '') throw new CairnError('usage', 'What is the focus? Give a path or a text; --clear takes it away.')
    if (text.length > LONGEST_FOCUS)
      throw new CairnError(
        'usage',
        `A focus stands in every request, so it has at most ${LONGEST_FOCUS} characters, and this one has ${text.length.toLocaleString('en-US')}; it is as it was.`,
      )
    await state.set(scopeOf(workspace), new Map([[KEY, text]]))
    return text
  },
  clear: async (workspace) => {
    assertName(workspace, 'The workspace')
    const before = await state.take(scopeOf(workspace), KEY)
    return typeof before === 'string' ? before : undefined
  },
})
