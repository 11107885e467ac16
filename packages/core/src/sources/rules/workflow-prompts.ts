/** Workflow files as prompts that are called by name, each name once. */
import { visibleText } from '../mentions/delimited.ts'
import type { Workflow } from './rule.ts'

export interface WorkflowPrompt {
  /** Lower case letters, digits, `-`, `_`, `.`; of files that share one, those behind the first carry their agent's name. */
  readonly name: string
  readonly description: string
  /** The file's path in the project. */
  readonly id: string
  /** With characters that hide made visible. */
  readonly text: string
}

const LONGEST_NAME = 60
/** Where Claude Code and those that follow it put what the user types behind a command. */
const ARGUMENTS = /\$ARGUMENTS\b/g

/**
 * The workflows that are on and not empty, in their order, each under a name of its own; the same text under two
 * names counts once. `taken`: names that are not free.
 */
export const workflowPrompts = (
  workflows: readonly Workflow[],
  taken: Iterable<string> = [],
): readonly WorkflowPrompt[] => {
  const names = new Set(taken)
  const texts = new Set<string>()
  const prompts: WorkflowPrompt[] = []
  for (const { name, agent, isOn, description, id, text } of workflows) {
    const own = text.trim()
    if (!isOn || own === '' || texts.has(own)) continue
    const plain = plainName(name)
    const free = [plain, `${plain}-${agent}`, ...numbered(`${plain}-${agent}`)].find((one) => !names.has(one))
    if (free === undefined) continue
    names.add(free)
    texts.add(own)
    prompts.push({ name: free, description, id, text: visibleText(own) })
  }
  return prompts
}

const MOST_OF_A_NAME = 20
const numbered = (name: string): readonly string[] =>
  Array.from({ length: MOST_OF_A_NAME }, (_, index) => `${name}-${index + 2}`)

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST_NAME) || 'workflow'

/** What a workflow asks for: with the user's words in the places that it has for them, else behind it. */
export const workflowText = ({ text }: Pick<WorkflowPrompt, 'text'>, input: string): string => {
  const filled = text.replaceAll(ARGUMENTS, () => input)
  return filled !== text || input === '' ? filled : `${text}\n\n${input}`
}
