/**
 * Attribution by content: a ledger of the contents that each file had, and whose they were. Before an agent writes, the file is
 * looked at as it is and the bytes to come are noted, so that no event has to be trusted. Where bytes and times
 * allow for more than one author the verdict is `unsure`. Pure: looks come in, verdicts go out.
 */
import type {
  Attribution,
  ChangeVerdict,
  CommandSpan,
  FileContent,
  FileLook,
  FileVerdict,
} from './attribution-types.ts'

/** How long after an agent's write a change of form alone is its formatter's, ms. */
const FORMATTER_MS = 3_000
/** How long after an agent's write any other change may be a formatter's as well as a quick person's, ms. */
const QUICK_MS = 1_500
/** How long after its end a command may still have something running, ms. */
const AFTERMATH_MS = 300
/** File times come from the system's slower clock and lie a little before the time that a program reads, ms. */
const CLOCK_STEP_MS = 20
/** How long an announced write is waited for, ms. */
const INTENDED_MS = 30_000
/** Contents of a file that are remembered. */
const MOST_VERSIONS = 50
/** Commands that are remembered after their end. */
const MOST_COMMANDS = 100

interface Version {
  /** Null: there was no file. */
  readonly content: FileContent | null
  readonly verdict: ChangeVerdict | 'first'
  readonly author: string | null
}

interface Intended {
  /** Null: to delete the file. */
  readonly content: FileContent | null
  readonly agent: string
  /** When it was announced, ms. */
  readonly at: number
}

interface Ledger {
  versions: readonly Version[]
  intended: readonly Intended[]
  /** When the file was looked at last, ms. */
  lookedAt: number
  /** The newest write of an agent, ms; -Infinity before the first. */
  agentWroteAt: number
}

interface Command extends CommandSpan {
  /** ms; Infinity while it runs. */
  endedAt: number
}

/**
 * Tells who changed a file, from what was seen of it; knows no file at first, and times are ms. `judge` throws a
 * RangeError for a file that was never begun.
 */
export const createAttribution = (): Attribution => {
  const ledgers = new Map<string, Ledger>()
  let commands: readonly Command[] = []
  const commandsOf = (path: string): readonly Command[] =>
    commands.filter(({ paths }) => paths.some((each) => covers(each, path)))

  return {
    begin: ({ path, content, at }) => {
      if (ledgers.has(path)) return
      const first: Version = { content, verdict: 'first', author: null }
      ledgers.set(path, { versions: [first], intended: [], lookedAt: at, agentWroteAt: -Infinity })
    },
    intend: (path, content, agent, at) => {
      const ledger = ledgers.get(path)
      if (ledger !== undefined) ledger.intended = [...ledger.intended, { content, agent, at }]
    },
    withdraw: (path) => {
      const ledger = ledgers.get(path)
      if (ledger !== undefined) ledger.intended = ledger.intended.slice(0, -1)
    },
    judge: (look) => {
      const ledger = ledgers.get(look.path)
      if (ledger === undefined) throw new RangeError(`${look.path} was never looked at before`)
      return judged(ledger, look, commandsOf(look.path))
    },
    command: (span) => {
      const command: Command = { ...span, endedAt: Infinity }
      commands = [...commands, command].slice(-MOST_COMMANDS)
      return (endedAt) => {
        command.endedAt = endedAt
      }
    },
    asksGit: (path) => {
      const ledger = ledgers.get(path)
      return commandsOf(path).some(({ kind, endedAt }) => kind === 'git' && endedAt >= (ledger?.lookedAt ?? 0))
    },
    isAtWork: (path, kind) =>
      commandsOf(path).some((command) => command.endedAt === Infinity && (kind === undefined || command.kind === kind)),
    isExpected: (path, content) => ledgers.get(path)?.intended.some((each) => isSame(each.content, content)) === true,
    move: (from, to) => {
      const [former, present] = [ledgers.get(from), ledgers.get(to)]
      if (former === undefined || from === to) return
      ledgers.delete(from)
      ledgers.set(
        to,
        present === undefined ? former : { ...present, versions: joined(former.versions, present.versions) },
      )
    },
    forget: (path) => {
      ledgers.delete(path)
    },
  }
}

/** Whether a file is this path or lies below it, by text. */
const covers = (path: string, file: string): boolean =>
  file === path || file.startsWith(path.endsWith('/') ? path : `${path}/`)

/** What the file was under its former name, but for its end there, then under this one. */
const joined = (former: readonly Version[], present: readonly Version[]): readonly Version[] =>
  [...former.filter(({ content }) => content !== null), ...present].slice(-MOST_VERSIONS)

/** Whether two contents have the same bytes; two missing files are the same, too. */
const isSame = (left: FileContent | null, right: FileContent | null): boolean => left?.hash === right?.hash

/**
 * Who changed a file between two looks, and when (ms, never before the last look). Changes the ledger: it takes in the
 * look, and what is there now unless nothing changed.
 */
const judged = (ledger: Ledger, look: FileLook, commands: readonly Command[]): FileVerdict => {
  const at = timeOfChange(ledger, look)
  const { verdict, author, wroteAt } = outcomeOf(ledger, look, at, commands)
  const { path, content } = look
  const previous = ledger.lookedAt
  ledger.lookedAt = look.at
  if (verdict !== 'nothing') {
    ledger.versions = [...ledger.versions, { content, verdict, author }].slice(-MOST_VERSIONS)
    if (wroteAt !== undefined) ledger.agentWroteAt = wroteAt
  }
  return { path, verdict, at: Math.max(at, Math.min(previous, look.at)), author, hash: content?.hash ?? null }
}

/** The time of the last write, unless it was set: then of the last change of anything. */
const timeOfChange = ({ lookedAt }: Ledger, { modifiedAt, changedAt, at }: FileLook): number =>
  modifiedAt >= lookedAt - CLOCK_STEP_MS && modifiedAt <= at ? modifiedAt : Math.min(changedAt, at)

interface Outcome {
  readonly verdict: ChangeVerdict
  readonly author: string | null
  /** When the agent wrote, where it did. */
  readonly wroteAt?: number
}

/**
 * Who made a change that was made at `at`: the agent that announced it, nobody where the bytes are the same, else by
 * commands, else by its content. Takes announced writes out of the ledger.
 */
const outcomeOf = (ledger: Ledger, look: FileLook, at: number, commands: readonly Command[]): Outcome => {
  const announced = takeIntended(ledger, look)
  if (announced !== undefined) return { verdict: 'agent', author: announced.agent, wroteAt: at }
  const current = ledger.versions.at(-1)
  if (current !== undefined && isSame(current.content, look.content)) return { verdict: 'nothing', author: null }
  return commandOutcome(ledger, look, at, commands) ?? contentOutcome(ledger, look, at)
}

/**
 * The announced write that a look shows, undefined if it shows none; what was announced before it has happened, too, or
 * never will, and is forgotten.
 */
const takeIntended = (ledger: Ledger, { content, at }: FileLook): Intended | undefined => {
  const open = ledger.intended.filter((each) => at - each.at <= INTENDED_MS)
  const index = open.findLastIndex((each) => isSame(each.content, content))
  ledger.intended = open.slice(index + 1)
  return open[index]
}

/**
 * Who made a change at `at`, by the commands that ran then and had not ended at the last look; a shell's goes before
 * git's, the one begun last before others. A shell's: `agent-tool`, by its agent. Git's: `git` if the file is gone or git
 * or the ledger knows the content, else `unsure`. Just after a shell's end (`AFTERMATH_MS`) `unsure`, too. Undefined if
 * no command explains it.
 */
const commandOutcome = (
  ledger: Ledger,
  look: FileLook,
  at: number,
  commands: readonly Command[],
): Outcome | undefined => {
  const running = commands.filter(
    ({ startedAt, endedAt }) =>
      endedAt + AFTERMATH_MS >= ledger.lookedAt && at >= startedAt - CLOCK_STEP_MS && at <= endedAt + AFTERMATH_MS,
  )
  const isAfter = ({ endedAt }: Command): boolean => at > endedAt + CLOCK_STEP_MS || ledger.lookedAt > endedAt
  const shell = running.findLast((command) => command.kind === 'shell' && !isAfter(command))
  if (shell !== undefined) return { verdict: 'agent-tool', author: shell.agent }
  const git = running.findLast((command) => command.kind === 'git' && !isAfter(command))
  if (git !== undefined) {
    const isGits = look.content === null || look.isKnownToGit === true || wasThere(ledger, look.content) !== undefined
    return { verdict: isGits ? 'git' : 'unsure', author: null }
  }
  return running.some(({ kind }) => kind === 'shell') ? { verdict: 'unsure', author: null } : undefined
}

/** The newest remembered version with this content; undefined without one. */
const wasThere = ({ versions }: Ledger, content: FileContent): Version | undefined =>
  versions.findLast((version) => isSame(version.content, content))

/**
 * Who changed a file by its bytes and times: a deletion is a person's. An earlier content is `restored` where there was
 * no file; otherwise `unsure` if an agent had made it. The rest is a formatter's by its form, else `restored`, else a
 * person's, but `unsure` just after the agent wrote (`QUICK_MS`).
 */
const contentOutcome = (ledger: Ledger, { content }: FileLook, at: number): Outcome => {
  if (content === null) return { verdict: 'person', author: null }
  const current = ledger.versions.at(-1)
  const former = wasThere(ledger, content)
  const isBack: Outcome | undefined = former && { verdict: 'restored', author: former.author }
  if (isBack !== undefined && current?.content === null) return isBack
  // Back to what the agent had made: an undo, its own second attempt, git: the bytes are the same.
  if (former !== undefined && isByAgent(former)) return { verdict: 'unsure', author: null }
  return formOutcome(ledger, content, at) ?? isBack ?? strangerOutcome(ledger, at)
}

const isByAgent = ({ verdict }: Version): boolean => verdict === 'agent' || verdict === 'agent-tool'

/**
 * How long ago the agent wrote what is there now, in whatever form, ms; Infinity when somebody else or a command did.
 */
const sinceAgent = ({ versions, agentWroteAt }: Ledger, at: number): number => {
  const verdict = versions.at(-1)?.verdict
  return verdict === 'agent' || verdict === 'formatter' ? at - agentWroteAt : Infinity
}

/** A formatter's change: the text has the same form as what an agent wrote shortly before; undefined for any other. */
const formOutcome = (ledger: Ledger, { shape }: FileContent, at: number): Outcome | undefined =>
  shape !== undefined && shape === ledger.versions.at(-1)?.content?.shape && sinceAgent(ledger, at) <= FORMATTER_MS
    ? { verdict: 'formatter', author: null }
    : undefined

/** A person's change; `unsure` up to `QUICK_MS` after an agent wrote. */
const strangerOutcome = (ledger: Ledger, at: number): Outcome => ({
  verdict: sinceAgent(ledger, at) <= QUICK_MS ? 'unsure' : 'person',
  author: null,
})
