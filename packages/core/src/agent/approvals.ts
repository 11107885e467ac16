/** Decides which calls run without asking, which need approval, and which never run, based on what a call would do. */
import { globMatches } from '../sources/rules/glob.ts'
import type { AgentMode } from './agent.ts'
import type { PreparedCall } from './agent-tool.ts'

/**
 * The default for calls without a matching rule. Calls that only read, or only change what Cairn stores, always run.
 * `ask`: all other calls need approval. `edits`: file changes run, commands need approval. `all`: everything runs.
 * `never`: nobody is asked; calls that would need approval are declined, and the model continues. Access outside the
 * workspace always needs approval, and is declined with `never`.
 */
export type ApprovalPreset = 'ask' | 'edits' | 'all' | 'never'

export const APPROVAL_PRESETS: readonly ApprovalPreset[] = ['ask', 'edits', 'all', 'never']

/** A rule for calls that match everything it specifies; an empty rule matches every call. */
export interface ApprovalRule {
  readonly decision: 'allow' | 'ask' | 'deny'
  /** The tool's name. */
  readonly tool?: string
  /** A glob of paths. For `allow`, all files of the call must match; for `ask` and `deny`, one is enough. */
  readonly path?: string
  /** The words with which a command begins: `npm test`. `allow` never applies to a compound command. */
  readonly command?: string
}

export interface ApprovalSettings {
  /** Default `ask`. */
  readonly preset?: ApprovalPreset
  /** The first matching rule decides, except that a matching `deny` always wins. */
  readonly rules?: readonly ApprovalRule[]
}

/** The decision about a call; `why` is one sentence. */
export type Verdict =
  | { readonly decision: 'allow' }
  | { readonly decision: 'ask'; readonly why: string }
  | { readonly decision: 'deny'; readonly why: string }

/** What the decision depends on besides the call. */
export interface ApprovalSituation extends ApprovalSettings {
  readonly mode: AgentMode
  /** What the user allowed for the session, as named by {@link grantOf}. */
  readonly granted: ReadonlySet<string>
  /** Set once this many requests ran without a question, so that the next change needs approval. */
  readonly autoApproved?: number
}

/** Characters that chain, redirect or substitute: a command with one of them does more than its first words say. */
const COMBINED = /[;&|<>`$()\n\r]/

const isSimple = (command: string): boolean => !COMBINED.test(command)

/**
 * The name under which "always" allows a call for the session: for a simple command, the tool and its program; for a
 * compound command, the tool and the whole text; otherwise, only the tool.
 */
export const grantOf = (tool: string, { command }: Pick<PreparedCall, 'command'>): string => {
  if (command === undefined) return tool
  const text = command.trim()
  return `${tool}\n${isSimple(text) ? (text.split(/\s/)[0] ?? '') : text}`
}

/**
 * Decides about a call: allowed, needs approval, or denied with a sentence for the model. Order: plan mode denies what
 * changes more than Cairn's own store; any rule that denies; access outside the workspace; the first matching rule, if
 * it asks; what changes nothing or only Cairn's store runs; `autoApproved`; the first rule, if it allows; grants; the
 * preset. With the preset `never`, what would need approval is denied. A pure function.
 */
export const verdictOf = (tool: string, call: PreparedCall, situation: ApprovalSituation): Verdict => {
  const { mode, preset = 'ask', rules = [] } = situation
  if (mode === 'plan' && !isHarmless(call))
    return { decision: 'deny', why: 'In plan mode nothing is changed: describe what you would do instead.' }
  const fitting = rules.filter((rule) => fits(rule, tool, call))
  if (fitting.some(({ decision }) => decision === 'deny'))
    return { decision: 'deny', why: 'A rule of the user forbids it.' }
  const why = questionAbout(tool, call, fitting[0], situation)
  if (why === undefined) return { decision: 'allow' }
  return preset === 'never'
    ? { decision: 'deny', why: `${why} Nobody is asked here, so it was declined.` }
    : { decision: 'ask', why }
}

const isHarmless = ({ effect }: PreparedCall): boolean => effect === 'none' || effect === 'memory'

/**
 * Why a call needs approval, as one sentence; undefined if it runs without. `rule` is the first that matches. Asked
 * about is whatever reaches beyond the workspace, then what the rule asks about; then only edits and commands: always
 * once `autoApproved` is set, else unless a rule or a grant allows them, or the preset does.
 */
const questionAbout = (
  tool: string,
  call: PreparedCall,
  rule: ApprovalRule | undefined,
  { preset = 'ask', granted, autoApproved }: ApprovalSituation,
): string | undefined => {
  if (call.reaches !== undefined) return call.reaches
  if (rule?.decision === 'ask') return 'A rule of the user has it asked about.'
  if (isHarmless(call)) return undefined
  if (autoApproved !== undefined) return `${autoApproved} requests in a row ran without a question.`
  const isEdit = call.effect === 'files'
  if (rule !== undefined || granted.has(grantOf(tool, call))) return undefined
  if (preset === 'all' || (preset === 'edits' && isEdit)) return undefined
  return isEdit ? 'It changes files.' : 'It runs a command.'
}

/**
 * Whether a rule applies to a call. A path must match all of the call's paths for a rule that allows, else one; it
 * never matches a call without paths. Words must begin the command, for a rule that allows a simple one, else any part
 * of it. A rule without a field applies whatever the call's is.
 */
const fits = (rule: ApprovalRule, tool: string, { paths, command }: PreparedCall): boolean => {
  const { decision, path, command: words } = rule
  if (rule.tool !== undefined && rule.tool !== tool) return false
  if (path !== undefined) {
    const matches = (one: string): boolean => globMatches(path, one)
    if (paths.length === 0 || !(decision === 'allow' ? paths.every(matches) : paths.some(matches))) return false
  }
  return words === undefined || (command !== undefined && beginsWith(command, words, decision === 'allow'))
}

/**
 * Whether a command begins with these words; for a compound command, whether one of its parts does, unless it must be
 * simple. Runs of spaces count as one.
 */
const beginsWith = (command: string, given: string, mustBeSimple: boolean): boolean => {
  if (mustBeSimple && !isSimple(command.trim())) return false
  const words = given.trim().replace(/\s+/g, ' ')
  return command
    .split(COMBINED)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .some((part) => part === words || part.startsWith(`${words} `))
}
