/**
 * Notes over their storage: named texts of a workspace. A key is a name in a table, never a path, so any key is safe.
 * An unknown key is an error that lists similar ones.
 */
import { CairnError } from '../errors.ts'
import { assertBound, assertText, assertTextOrAbsent } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { Note, NoteStorage } from '../ports/note-storage.ts'
import { redact as redactSecrets, type Redact } from '../redaction/index.ts'
import { rankTexts } from '../text-analysis/rank-texts.ts'
import { closeKeys } from './close-keys.ts'
import type { Notes } from './notes.ts'

/** What notes need to be stored and redacted. */
export interface NotesDeps {
  readonly storage: NoteStorage
  readonly clock: Clock
  /** Default: redacts the kinds of secrets that Cairn knows. */
  readonly redact?: Redact
}

/** Maximum number of characters in a note's key. */
export const MAX_KEY_CHARACTERS = 512
/** Maximum number of characters in a note. */
export const MAX_NOTE_CHARACTERS = 1_000_000
const DEFAULT_LIMIT = 10

const refused = (sentence: string): CairnError => new CairnError('invalid-input', sentence)
const counted = (count: number): string => count.toLocaleString('en-US')
const shown = (key: string): string => JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key)

/** Throws `invalid-input` for an empty or too long key. */
const assertKey = (key: string): void => {
  if (typeof key !== 'string' || key.trim() === '') throw refused('A note needs a key: give it a short name.')
  if (key.length > MAX_KEY_CHARACTERS)
    throw refused(
      `The note's key has ${counted(key.length)} characters; the most are ${MAX_KEY_CHARACTERS}. Give it a short name, and put the rest into the text.`,
    )
}

/** Throws `invalid-input` for an empty workspace. */
const assertWorkspace = (workspace: string): void => {
  if (typeof workspace !== 'string' || workspace.trim() === '')
    throw refused('A note belongs to a workspace: say which one.')
}

/** Throws `invalid-input` for an empty or too long text. */
const assertNote = (key: string, text: string): void => {
  if (typeof text !== 'string' || text.trim() === '')
    throw refused(`The note ${shown(key)} needs a text; to remove it, delete it.`)
  if (text.length > MAX_NOTE_CHARACTERS)
    throw refused(
      `The note's text has ${counted(text.length)} characters; the most are ${counted(MAX_NOTE_CHARACTERS)}. Keep it in a file, and note where it is.`,
    )
}

/**
 * The error `not-found` for a missing note; it lists up to three similar keys, or says how many notes there are. `asOf`: ms;
 * default now.
 */
const notFound = async (storage: NoteStorage, workspace: string, key: string, asOf?: number): Promise<CairnError> => {
  const keys = (await storage.list(workspace, asOf)).map((note) => note.key)
  const close = closeKeys(key, keys)
  const hint =
    keys.length === 0
      ? 'this workspace has none'
      : close.length === 0
        ? `there ${keys.length === 1 ? 'is 1 note of another name' : `are ${keys.length} notes of other names`}`
        : `close to it: ${close.map(shown).join(', ')}`
  return new CairnError('not-found', `There is no note ${shown(key)}; ${hint}.`)
}

/**
 * Creates notes over a storage. Secrets in keys and texts are redacted before they are stored. See {@link Notes} for
 * the errors of each call. `set` reads the note back. `search` looks at current notes only and gives those that match,
 * best first, {@link DEFAULT_LIMIT} unless told otherwise; it refuses a limit that is no whole number from 1 up.
 */
export const createNotes = ({ storage, clock, redact = redactSecrets }: NotesDeps): Notes => {
  /** The redacted key: a note whose key contained a secret is stored and found under the key without it. */
  const nameOf = (key: string): string => redact(key).text

  const get = async (workspace: string, key: string, asOf?: number): Promise<Note> => {
    assertWorkspace(workspace)
    assertText(key, "The note's key")
    assertBound(asOf, 'The time as of which the note is asked')
    const note = await storage.get(workspace, nameOf(key), asOf)
    if (note === undefined) throw await notFound(storage, workspace, key, asOf)
    return note
  }

  return {
    set: async (workspace, key, text, sessionId) => {
      assertWorkspace(workspace)
      assertKey(key)
      assertNote(key, text)
      assertTextOrAbsent(sessionId, "The note's session")
      await storage.set({
        workspace,
        key: nameOf(key),
        text: redact(text).text,
        ...(sessionId === undefined ? {} : { sessionId }),
        at: clock.now(),
      })
      return get(workspace, key)
    },
    get,
    list: async (workspace, asOf) => {
      assertWorkspace(workspace)
      assertBound(asOf, 'The time as of which notes are listed')
      return storage.list(workspace, asOf)
    },
    search: async (workspace, text, limit = DEFAULT_LIMIT) => {
      assertWorkspace(workspace)
      assertText(text, 'The text that is searched for')
      if (!Number.isInteger(limit) || limit < 1)
        throw refused('The number of notes to find is a whole number from 1 up.')
      const notes = await storage.list(workspace)
      return rankTexts(
        text,
        notes.map((note) => `${note.key}\n${note.text}`),
      )
        .flatMap(({ index, score }) => {
          const note = notes[index]
          return note === undefined ? [] : [{ note, score }]
        })
        .slice(0, limit)
    },
    delete: async (workspace, key) => {
      assertWorkspace(workspace)
      assertText(key, "The note's key")
      if (!(await storage.delete(workspace, nameOf(key), clock.now()))) throw await notFound(storage, workspace, key)
    },
  }
}
