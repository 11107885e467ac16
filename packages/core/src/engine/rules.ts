/** The engine's part for rules files: which ones a workspace has, and which are switched off. */
import { CairnError } from '../errors.ts'
import { assertName, echoed } from '../input.ts'
import { isJsonObject } from '../json.ts'
import type { FileSystem } from '../ports/file-system.ts'
import { redact } from '../redaction/index.ts'
import { visibleName } from '../sources/mentions/delimited.ts'
import { readRules } from '../sources/rules/read-rules.ts'
import type { RuleDisk } from '../sources/rules/read-rules.ts'
import { ruleSection } from '../sources/rules/rule-section.ts'
import type { RuleSection } from '../sources/rules/rule-section.ts'
import { ruleSet } from '../sources/rules/rule-set.ts'
import type { Switches } from '../sources/rules/rule-set.ts'
import type { RuleSet } from '../sources/rules/rule.ts'
import type { StoredSettings } from '../state/stored-settings.ts'

export interface RulesInput extends Pick<RuleDisk, 'workspace' | 'home' | 'files'> {
  /** Rules that apply to this file, relative to the workspace; default: rules that apply to all files. */
  readonly file?: string
}

export interface EngineRules {
  /** Reads the rules files of a workspace. Unreadable files are listed in `problems`. */
  list(input: RulesInput): Promise<RuleSet>
  /**
   * The rules that apply, as a section of a system prompt, with secrets replaced. The same files produce the same
   * bytes. `problems`: one sentence for each unreadable file.
   */
  section(input: RulesInput, maxTokens?: number): Promise<RuleSection & Pick<RuleSet, 'problems'>>
  /**
   * Switches a file on or off in the workspace, by its id or an unambiguous end of it; stored when the promise
   * resolves. Returns its id. Rejects with `not-found` or `ambiguous`.
   */
  switchFile(input: Omit<RulesInput, 'file'>, named: string, isOn: boolean): Promise<string>
}

interface RuleParts {
  readonly settings: StoredSettings
  readonly fileSystem: FileSystem
}

type SwitchName = 'rules' | 'workflows'

/**
 * Creates the engine's part for rules files. They are read on each call; which ones are off is stored in the project's
 * settings. See {@link EngineRules}. `section` has at most `maxTokens` and no secrets. `switchFile` takes an id, or its
 * end behind a `/`; it rejects with `not-found` and `ambiguous`.
 */
export const createEngineRules = ({ settings, fileSystem }: RuleParts): EngineRules => {
  /**
   * The switches of all projects, overridden by those of this one. Other systems' settings name files by their full
   * path.
   */
  const switches = async (name: SwitchName, workspace: string): Promise<Switches> => {
    const all = await settings.get(name, {})
    const own = await settings.get(name, { workspace })
    const merged = [all.value, own.value].flatMap((value) => (isJsonObject(value) ? Object.entries(value) : []))
    return Object.fromEntries(
      merged.map(([path, isOn]) => [
        path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path,
        isOn === true,
      ]),
    )
  }

  /**
   * Reads the rules files now, with what is off in this project; rejects with `invalid-input` for a missing workspace.
   */
  const list = async ({ file, ...disk }: RulesInput): Promise<RuleSet> => {
    assertName(disk.workspace, 'The workspace')
    const [read, rules, workflows] = await Promise.all([
      readRules({ ...disk, fileSystem }),
      switches('rules', disk.workspace),
      switches('workflows', disk.workspace),
    ])
    return ruleSet(read, { rules, workflows, ...(file === undefined ? {} : { file }) })
  }

  return {
    list,
    section: async (input, maxTokens) => {
      const set = await list(input)
      const section = ruleSection(set, maxTokens)
      return { ...section, text: redact(section.text).text, problems: set.problems }
    },
    /**
     * Stores the switch of the one rules or workflow file that is meant: by its whole id, else its id as it is listed,
     * else an end of it behind a `/`. Returns the id.
     */
    switchFile: async (input, named, isOn) => {
      const { rules, workflows } = await list(input)
      const known = [
        ...rules.map(({ id }) => ({ id, name: 'rules' as const })),
        ...workflows.map(({ id }) => ({ id, name: 'workflows' as const })),
      ]
      const exact = known.filter(({ id }) => id === named)
      // As they are listed: a line break in a name is shown as a space.
      const listed = known.filter(({ id }) => visibleName(id) === named)
      const ending = known.filter(({ id }) => visibleName(id).endsWith(`/${named}`))
      const found = [exact, listed, ending].find((some) => some.length > 0) ?? []
      const [first, second] = found
      if (first === undefined)
        throw new CairnError(
          'not-found',
          `No rules file of this project is called ${JSON.stringify(echoed(named))}; cairn context rules lists those that there are.`,
        )
      if (second !== undefined)
        throw new CairnError(
          'ambiguous',
          `${JSON.stringify(echoed(named))} could be several; give one of them whole: ${found.map(({ id }) => visibleName(id)).join(', ')}.`,
        )
      await settings.switchFile(first.name, { tier: 'workspace', workspace: input.workspace }, first.id, isOn)
      return first.id
    },
  }
}
