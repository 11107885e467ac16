/** Which calls run by themselves, which are asked about, and which never run. Decided by what a call would do. */
import { globMatches } from '../sources/rules/glob.ts'
import type { AgentMode } from './agent.ts'
import type { PreparedCall } from './agent-tool.ts'

/**
 * What happens to calls that no rule is for. Calls that only read, or change only what Cairn keeps, always run.
 * `ask`: the rest is asked about. `edits`: changes of files run, commands are asked about. `all`: everything runs.
 * `never`: nothing is asked; what would be asked about is declined, and the model goes on without it.
 * Whatever reaches out of the workspace is asked about in any case; with `never` it is declined.
 */
export type ApprovalPreset = 'ask' | 'edits' | 'all' | 'never'

export const APPROVAL_PRESETS: readonly ApprovalPreset[] = ['ask', 'edits', 'all', 'never']

/** A rule for calls that fit all of what it names; without anything it is for every call. */
export interface ApprovalRule {
  readonly decision: 'allow' | 'ask' | 'deny'
  /** The tool's name. */
  readonly tool?: string
  /** A glob of paths. `allow` needs all files of the call to match, `ask` and `deny` one. */
  readonly path?: string
  /** The words that a command begins with: `npm test`. `allow` never holds for a command that is made of several. */
  readonly command?: string
}

export interface ApprovalSettings {
  /** Default `ask`. */
  readonly preset?: ApprovalPreset
  /** The first one that fits decides, but that of several a `deny` always does. */
  readonly rules?: readonly ApprovalRule[]
}

/** What becomes of a call; `why` is one sentence. */
export type Verdict =
  | { readonly decision: 'allow' }
  | { readonly decision: 'ask'; readonly why: string }
  | { readonly decision: 'deny'; readonly why: string }

/** What decides beside the call itself. */
export interface ApprovalSituation extends ApprovalSettings {
  readonly mode: AgentMode
  /** What the user allowed for the session, as {@link grantOf} names it. */
  readonly granted: ReadonlySet<string>
  /** So many requests ran without a question that the next change is asked about; absent: not yet. */
  readonly autoApproved?: number
}

/** What chains, redirects or substitutes: a command with one of these is more than its first words say. */
const COMBINED = /[;&|<>`$()\n\r]/

const isSimple = (command: string): boolean => !COMBINED.test(command)

/**
 * The name under which "always" allows a call for the session: of a command that is a single one the tool and its
 * program, of one that is made of several the tool and its whole text, of others the tool alone.
 */
export const grantOf = (tool: string, { command }: Pick<PreparedCall, 'command'>): string => {
  if (command === undefined) return tool
  const text = command.trim()
  return `${tool}\n${isSimple(text) ? (text.split(/\s/)[0] ?? '') : text}`
}

/**
 * What is done with a call: allowed, asked about, or denied with a sentence for the model. In plan mode all that
 * changes anything is denied; then a rule that denies, then what the call reaches, other rules, what was granted, and
 * the preset. A pure function of the call and the situation.
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

/** Why a call is asked about; undefined for one that runs by itself. `rule`: the first that fits. */
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

const fits = (rule: ApprovalRule, tool: string, { paths, command }: PreparedCall): boolean => {
  const { decision, path, command: words } = rule
  if (rule.tool !== undefined && rule.tool !== tool) return false
  if (path !== undefined) {
    const matches = (one: string): boolean => globMatches(path, one)
    if (paths.length === 0 || !(decision === 'allow' ? paths.every(matches) : paths.some(matches))) return false
  }
  return words === undefined || (command !== undefined && beginsWith(command, words, decision === 'allow'))
}

/** Whether a command begins with these words; in a combined one also where one of its parts does, unless it must be simple. */
const beginsWith = (command: string, given: string, mustBeSimple: boolean): boolean => {
  if (mustBeSimple && !isSimple(command.trim())) return false
  const words = given.trim().replace(/\s+/g, ' ')
  return command
    .split(COMBINED)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .some((part) => part === words || part.startsWith(`${words} `))
}
