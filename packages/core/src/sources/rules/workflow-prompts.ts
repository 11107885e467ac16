/** Workflow files as prompts that are called by name, each name once. */
import { visibleText } from '../mentions/delimited.ts'
import type { Workflow } from './rule.ts'

/** A workflow as a prompt with a unique name. */
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
/** Where Claude Code, and agents with the same format, insert what the user types behind a command. */
const ARGUMENTS = /\$ARGUMENTS\b/g

/**
 * Returns the workflows that are on and not empty, in their order, each under a unique name; one for which none of 22
 * names is free is left out. Of workflows with the same text only the first is returned. `taken` lists names that are
 * not available.
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
/** The name with the numbers 2 to 21. */
const numbered = (name: string): readonly string[] =>
  Array.from({ length: MOST_OF_A_NAME }, (_, index) => `${name}-${index + 2}`)

/**
 * A name with only lower-case letters, digits, `.`, `_` and `-`, at most 60 characters; "workflow" if nothing is left.
 */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST_NAME) || 'workflow'

/**
 * Returns the workflow's prompt with the user's input at its placeholders, or appended if it has none; unchanged if it
 * has none and the input is empty.
 */
export const workflowText = ({ text }: Pick<WorkflowPrompt, 'text'>, input: string): string => {
  const filled = text.replaceAll(ARGUMENTS, () => input)
  return filled !== text || input === '' ? filled : `${text}\n\n${input}`
}
