/** What is known about a pi session from the lines read so far: the parser's state. */
import { arrayOf, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import { baseName, optional } from './importer.ts'
import { textsIn } from './line-values.ts'
import { workspaceAt } from './workspace.ts'

/** The name under which pi's sessions are stored. */
export const PI = 'pi'

/** How many lines are remembered; what a compaction keeps begins near the end of the conversation. */
const MAX_PENDING = 500

interface State {
  readonly session: string
  readonly workspace?: string
  readonly forkedFrom?: string
  readonly titled: boolean
  /** Ids of the lines since the last message: a compaction may name one of them and mean the message that follows. */
  readonly waiting: readonly string[]
  /** The message that followed such a line, by the line's id. */
  readonly following: Readonly<Record<string, string>>
}

/** Follows a file line by line, and keeps which message follows a line that is none. */
export class PiSession {
  #state: State
  #facts: SessionFacts
  #folder: string | undefined

  /** Starts a file, or continues it after `former`, what `state()` gave when its earlier lines were parsed. */
  constructor(path: string, former: JsonValue | undefined) {
    const known = objectOf(former)
    this.#state = {
      session: stringOf(known.session) ?? sessionOfName(path),
      titled: known.titled === true,
      waiting: arrayOf(known.waiting).filter((item) => typeof item === 'string'),
      following: textsIn(known.following),
      ...optional('workspace', stringOf(known.workspace)),
      ...optional('forkedFrom', stringOf(known.forkedFrom)),
    }
    this.#facts = sessionFacts(this.#state)
  }

  /** What is known of the session at the line taken last. */
  get facts(): SessionFacts {
    return this.#facts
  }

  /** The folder that the file's header names; undefined where it names none, or was read by an earlier import. */
  get folder(): string | undefined {
    return this.#folder
  }

  /** The workspace that the header's folder belongs to; undefined where it names none. */
  get workspace(): string | undefined {
    return this.#state.workspace
  }

  /** Whether the session has a title already. */
  get isTitled(): boolean {
    return this.#state.titled
  }

  /** Notes whether the session has a title. */
  setTitled(titled: boolean): void {
    this.#state = { ...this.#state, titled }
  }

  /** Takes the file's header: the session's id, folder and origin. Which message follows which line is forgotten. */
  begin(header: JsonObject): void {
    const folder = stringOf(header.cwd)
    this.#folder = folder
    const parent = stringOf(header.parentSession) ?? stringOf(header.branchedFrom)
    this.#state = {
      session: stringOf(header.id) ?? this.#state.session,
      titled: this.#state.titled,
      waiting: [],
      following: {},
      ...optional('workspace', folder === undefined ? undefined : workspaceAt(undefined, folder)),
      ...optional('forkedFrom', parent === undefined ? undefined : sessionOfName(parent)),
    }
    this.#facts = sessionFacts(this.#state)
  }

  /**
   * Takes the id of the next line, so that `messageFrom` can find the message after a line that is none. The newest 500
   * such lines are remembered.
   */
  follow(id: string, isMessage: boolean): void {
    const { waiting, following } = this.#state
    if (!isMessage) {
      this.#state = { ...this.#state, waiting: [...waiting, id].slice(-MAX_PENDING) }
      return
    }
    if (waiting.length === 0) return
    const added = waiting.map((line): [string, string] => [line, id])
    this.#state = {
      ...this.#state,
      waiting: [],
      following: Object.fromEntries([...Object.entries(following), ...added].slice(-MAX_PENDING)),
    }
  }

  /** The message at a line, or the first after it: a compaction's kept part may begin at a line of settings. */
  messageFrom(line: string): string {
    return this.#state.following[line] ?? line
  }

  /** Everything as plain JSON, to go on at the next import (see the constructor). */
  state(): JsonValue {
    return { ...this.#state }
  }
}

/** The session's id in a name such as `<time>_<session>.jsonl`. */
const sessionOfName = (path: string): string => {
  const name = baseName(path)
  return /_([0-9a-f-]{36})$/.exec(name)?.[1] ?? name
}

/** The session's facts as far as they are known. */
const sessionFacts = (state: State): SessionFacts => ({
  id: `${PI}:${state.session}`,
  agent: PI,
  externalId: state.session,
  ...optional('workspace', state.workspace),
  ...optional('forkedFrom', state.forkedFrom === undefined ? undefined : `${PI}:${state.forkedFrom}`),
})
