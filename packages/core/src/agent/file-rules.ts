/**
 * Rules that apply only to certain files. Each is delivered once, after the result of the first call that reads or
 * changes such a file. What was delivered is read from the log, so nothing is repeated after a restart; rules that were
 * rewound, left the context or changed are delivered again.
 */
import { CairnError } from '../errors.ts'
import type { TextBlock, ToolResultBlock } from '../messages.ts'
import type { Clock } from '../ports/clock.ts'
import { redact } from '../redaction/index.ts'
import type { LogEntry } from '../session-log.ts'
import { modelHistory } from '../session/model-history.ts'
import { visibleName, visibleText } from '../sources/mentions/delimited.ts'
import { isInScope } from '../sources/rules/rule-scope.ts'
import { ruleSourceOf } from '../sources/rules/rule-sources.ts'
import type { Rule } from '../sources/rules/rule.ts'
import { escapeTags, wrapInTag } from '../summary/markup.ts'
import type { AgentOptions } from './agent-options.ts'
import type { CallFacts, ToolOutcome } from './agent-tool.ts'

export interface FileRules {
  /** The rules to deliver with the result of a successful call; undefined if there is nothing new. */
  forCall(call: CallFacts, outcome: ToolOutcome): Promise<ToldRules | undefined>
  /** Call when something left the context, because delivered rules may have left with it. */
  contextChanged(): void
}

interface ToldRules {
  /** The files, as named by `cairn context rules`. */
  readonly ids: readonly string[]
  /** One block per file, to be added after the tool's own content. */
  readonly blocks: readonly TextBlock[]
}

/** Maximum characters delivered with one result. */
const LONGEST = 20_000
const LONGEST_SCOPE = 100
const TOO_LONG = '(Too long to stand here: read the file.)'
/** Other programs change rules files, too, so they are read again after this time, ms. */
const READ_AGAIN_AFTER = 60_000

/** Creates the file rules of one turn; nothing is delivered if the agent was not told about the project. */
export const createFileRules = (
  options: Pick<AgentOptions, 'engine' | 'workspace' | 'folder' | 'project'>,
  sessionId: string,
  clock: Clock,
): FileRules => new TurnFileRules(options, sessionId, clock)

/** A rules file as it is delivered. */
interface FileRule extends Pick<Rule, 'id' | 'scope'> {
  /** Its name in the text. */
  readonly name: string
  readonly body: string
}

class TurnFileRules implements FileRules {
  readonly #options: Parameters<typeof createFileRules>[0]
  readonly #sessionId: string
  readonly #clock: Clock
  #read: { readonly at: number; readonly rules: readonly FileRule[] } | undefined
  /** What the model has of each file, by name; undefined if the log has to be read. */
  #told: Map<string, string> | undefined

  constructor(...[options, sessionId, clock]: Parameters<typeof createFileRules>) {
    this.#options = options
    this.#sessionId = sessionId
    this.#clock = clock
  }

  contextChanged(): void {
    this.#told = undefined
  }

  /**
   * The rules for a call's files that the model does not have in this wording, noted as told; undefined if there are
   * none. None come with a failed call, a command, one that reaches outside or ignored files, nor a rules file with a
   * call on itself. If the call changed a rules file, all are read again.
   */
  async forCall(call: CallFacts, { isError, changed = [] }: ToolOutcome): Promise<ToldRules | undefined> {
    if (changed.some((path) => ruleSourceOf(path) !== undefined)) this.#read = undefined
    if (isError === true || !isOnFiles(call)) return undefined
    // Who reads the rules themselves has them.
    const rules = (await this.#rules()).filter(
      ({ id, scope }) => !call.paths.includes(id) && call.paths.some((path) => isInScope(scope, path)),
    )
    if (rules.length === 0) return undefined
    const told = (this.#told ??= toldIn(await this.#options.engine.sessions.log(this.#sessionId)))
    return this.#newOf(rules, told)
  }

  /**
   * The rules that differ from what was told, which `told` then has; undefined if none does. Texts beyond `LONGEST`
   * characters in all are replaced by a notice to read the file.
   */
  #newOf(rules: readonly FileRule[], told: Map<string, string>): ToldRules | undefined {
    const ids: string[] = []
    const blocks: TextBlock[] = []
    let left = LONGEST
    for (const rule of rules) {
      const body = rule.body.length > left ? TOO_LONG : rule.body
      const before = told.get(rule.name)
      if (before === body || before === rule.body) continue
      left -= Math.min(left, body.length)
      told.set(rule.name, body)
      ids.push(rule.id)
      blocks.push({ type: 'text', text: sectionOf(rule, body, before !== undefined && before !== TOO_LONG) })
    }
    return ids.length === 0 ? undefined : { ids, blocks }
  }

  /**
   * The rules that apply only to a folder or to globs, not those that are off or replaced. Read again after
   * `READ_AGAIN_AFTER` ms. Empty if they can't be read, or without a project; errors of the store reject.
   */
  async #rules(): Promise<readonly FileRule[]> {
    const { engine, workspace, folder = workspace, project } = this.#options
    if (project === undefined) return []
    const now = this.#clock.now()
    if (this.#read === undefined || now - this.#read.at >= READ_AGAIN_AFTER) {
      const { home, files } = project
      const { rules } = await engine.rules.list({ workspace: folder, home, files }).catch(noRules)
      // Without tokens it is off, replaced, or stands in another one.
      const counted = rules.filter(({ scope, tokens }) => tokens > 0 && SOME_FILES.has(scope.kind))
      this.#read = { at: now, rules: counted.map(fileRule) }
    }
    return this.#read.rules
  }
}

const SOME_FILES: ReadonlySet<Rule['scope']['kind']> = new Set(['folder', 'globs'])

/** Whether a call is about files of the project. Ignored and outside files are not: rules do not apply there. */
const isOnFiles = ({ effect, paths, reaches }: CallFacts): boolean =>
  paths.length > 0 && reaches === undefined && (effect === 'none' || effect === 'files')

/**
 * No rules, for rules that can't be read: the session was told so at its start. Throws errors of the store, and those
 * that are no CairnError.
 */
const noRules = (error: unknown): { readonly rules: readonly Rule[] } => {
  if (!CairnError.is(error) || error.code.startsWith('storage-')) throw error
  return { rules: [] }
}

/** A rules file as it is delivered: with tags escaped, invisible characters shown, and secrets in its text replaced. */
const fileRule = ({ id, scope, text }: Rule): FileRule => ({
  id,
  scope,
  name: escapeTags(visibleName(id)),
  body: redact(escapeTags(visibleText(text).trim())).text,
})

/** The rule in a tag, headed by its file and what it is for. `hasChanged`: it says that this text holds now. */
const sectionOf = ({ name, scope }: FileRule, body: string, hasChanged: boolean): string =>
  wrapInTag(
    'project_rules',
    `Rules of ${name}\nFor ${scopeText(scope)}${hasChanged ? ', changed: this holds now' : ''}:\n${body}`,
  )

/** The globs or the folder a rule is for, cut to `LONGEST_SCOPE` characters; empty if it is for all. */
const scopeText = (scope: Rule['scope']): string => {
  const folder = 'folder' in scope ? (scope.folder ?? '') : ''
  const text = scope.kind === 'globs' ? `${scope.globs.join(', ')}${folder === '' ? '' : ` in ${folder}`}` : folder
  const shown = escapeTags(visibleName(text))
  return shown.length > LONGEST_SCOPE ? `${shown.slice(0, LONGEST_SCOPE).toWellFormed()}…` : shown
}

/** A part of a result that is one rules section. */
const SECTION = /^<project_rules>\nRules of (.+)\nFor .+:\n([^]*)\n<\/project_rules>$/

/**
 * The file and text of a rules part; undefined for any other part. The tool's own content comes first and is never one,
 * whatever it says.
 */
const toldBy = (
  part: ToolResultBlock['content'][number],
  index: number,
): { readonly name: string; readonly body: string } | undefined => {
  const [, name, body] = (index > 0 && part.type === 'text' ? SECTION.exec(part.text) : null) ?? []
  return name === undefined || body === undefined ? undefined : { name, body }
}

/** The rules files contained in a result, by name, and its other content. */
export const splitRules = ({
  content,
}: Pick<ToolResultBlock, 'content'>): {
  readonly rules: readonly string[]
  readonly content: ToolResultBlock['content']
} => {
  const rules: string[] = []
  const others = content.filter((part, index) => {
    const told = toldBy(part, index)
    if (told !== undefined) rules.push(told.name)
    return told === undefined
  })
  return { rules, content: others }
}

/**
 * The text of each rules file that the model still has in its history, by the file's name; of one delivered twice, the
 * newer.
 */
const toldIn = (log: readonly LogEntry[]): Map<string, string> => {
  const told = new Map<string, string>()
  for (const block of modelHistory(log).flatMap(({ content }) => content))
    if (block.type === 'tool_result')
      for (const { name, body } of block.content.flatMap((part, index) => toldBy(part, index) ?? []))
        told.set(name, body)
  return told
}
