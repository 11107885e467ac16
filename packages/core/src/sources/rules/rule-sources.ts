/** Which files of a workspace hold rules or prompts, for which agent, and in which form. */
import type { RuleAgent } from './rule.ts'

/** How a file states when it applies. */
export type RuleForm = 'plain' | 'paths' | 'cursor' | 'windsurf' | 'apply-to'

/** What a rules file is, by its path. */
export interface RuleSource {
  readonly agent: RuleAgent
  readonly isWorkflow: boolean
  readonly form: RuleForm
  /** Whether `@path` in it is replaced by that file. */
  readonly hasImports: boolean
  /** The folder that it holds for, with `/` at its end; '' for the workspace. */
  readonly folder: string
}

/** A pattern of paths and what they are. */
interface Row extends Omit<RuleSource, 'folder' | 'isWorkflow' | 'hasImports'> {
  /** Its first group is the folder. */
  readonly path: RegExp
  readonly isWorkflow?: true
  readonly hasImports?: true
}

const ROWS: readonly Row[] = [
  { agent: 'agents-md', form: 'plain', path: /^(|.*\/)AGENTS(?:\.override)?\.md$/s },
  { agent: 'claude-code', form: 'plain', hasImports: true, path: /^(|.*\/)(?:\.claude\/)?CLAUDE(?:\.local)?\.md$/s },
  { agent: 'claude-code', form: 'paths', hasImports: true, path: /^(|.*\/)\.claude\/rules\/.+\.md$/s },
  { agent: 'cursor', form: 'plain', path: /^()\.cursorrules$/s },
  { agent: 'cursor', form: 'cursor', path: /^(|.*\/)\.cursor\/rules\/.+\.mdc$/s },
  { agent: 'windsurf', form: 'plain', path: /^()\.windsurfrules$/s },
  { agent: 'windsurf', form: 'windsurf', path: /^(|.*\/)\.windsurf\/rules\/.+\.md$/s },
  { agent: 'cline', form: 'paths', path: /^()\.clinerules$/s },
  { agent: 'cline', form: 'paths', path: /^()\.clinerules\/(?!(?:workflows|hooks|skills)\/).+\.(?:md|txt)$/s },
  { agent: 'copilot', form: 'plain', path: /^()\.github\/copilot-instructions\.md$/s },
  { agent: 'copilot', form: 'apply-to', path: /^()\.github\/instructions\/.+\.instructions\.md$/s },
  { agent: 'gemini', form: 'plain', hasImports: true, path: /^(|.*\/)GEMINI\.md$/s },
  { agent: 'cline', form: 'plain', isWorkflow: true, path: /^()\.clinerules\/workflows\/.+\.md$/s },
  { agent: 'windsurf', form: 'plain', isWorkflow: true, path: /^()\.windsurf\/workflows\/.+\.md$/s },
  { agent: 'claude-code', form: 'plain', isWorkflow: true, path: /^()\.claude\/commands\/.+\.md$/s },
  { agent: 'cursor', form: 'plain', isWorkflow: true, path: /^()\.cursor\/commands\/.+\.md$/s },
  { agent: 'copilot', form: 'plain', isWorkflow: true, path: /^()\.github\/prompts\/.+\.prompt\.md$/s },
]

/**
 * Returns what kind of rules file or workflow a path in the workspace (with `/`) is: its agent, form and folder.
 * Undefined for any other file.
 */
export const ruleSourceOf = (path: string): RuleSource | undefined => {
  for (const { path: pattern, isWorkflow = false, hasImports = false, ...row } of ROWS) {
    const folder = pattern.exec(path)?.[1]
    if (folder !== undefined) return { ...row, isWorkflow, hasImports, folder }
  }
  return undefined
}

/** Files at the top of a workspace that agents read even if git ignores them. */
export const TOP_FILES = [
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  '.claude/CLAUDE.md',
  'GEMINI.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.github/copilot-instructions.md',
] as const

/** Folders at the top of a workspace that are read even if git ignores them. */
export const TOP_FOLDERS = [
  '.claude/rules',
  '.claude/commands',
  '.cursor/rules',
  '.cursor/commands',
  '.windsurf/rules',
  '.windsurf/workflows',
  '.clinerules',
  '.github/instructions',
  '.github/prompts',
] as const

/** Files in the home folder, which apply in every workspace. */
export const USER_FILES: readonly { readonly path: string; readonly agent: RuleAgent }[] = [
  { path: '.codex/AGENTS.md', agent: 'agents-md' },
  { path: '.claude/CLAUDE.md', agent: 'claude-code' },
  { path: '.gemini/GEMINI.md', agent: 'gemini' },
]

/** Files that are read in every folder above the workspace. */
export const PARENT_FILES = ['CLAUDE.md', 'CLAUDE.local.md'] as const

/** Characters of a file beyond which the agent itself ignores the rest. */
export const RULE_LIMITS: Readonly<Partial<Record<RuleAgent, { readonly characters: number; readonly name: string }>>> =
  {
    'agents-md': { characters: 32_768, name: 'Codex' },
    windsurf: { characters: 12_000, name: 'Windsurf' },
  }
