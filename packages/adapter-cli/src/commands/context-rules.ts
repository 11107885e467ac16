/** `cairn context rules`: the rules files of a project, and which of them apply. */
import { isAbsolute, relative, resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import { createWorkspaceFiles } from '@cairn/core/node/sources'
import type { Rule, RuleScope, RuleSet } from '@cairn/core/sources/rules'
import type { CommonOptions, Context } from '../command.ts'
import { fileProblem } from '../options/file-problem.ts'
import { projectName, projectOf } from '../options/project-option.ts'
import { counted, formatWhole } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { wrapLine } from '../terminal/wrap.ts'

/** The options of `context rules`. */
export interface RulesOptions extends CommonOptions {
  readonly file?: string
  readonly on?: string
  readonly off?: string
  readonly show?: boolean
}

/**
 * Lists the rules: `{workspace, file, rules, workflows, tokens, problems}` as JSON; or switches one on or off for the
 * project: `{workspace, id, isOn}`. Rejects with `usage` for `--on` together with `--off`, `--file` or `--show`, and
 * for a `--file` that no rules are sent for. `--show` prints the texts of the rules, too.
 */
export const runRules = async (options: RulesOptions, context: Context): Promise<void> => {
  const { on, off } = options
  if (on !== undefined && off !== undefined) throw new CairnError('usage', 'Give either --on or --off, not both.')
  const switched = on ?? off
  if (switched !== undefined && (options.file !== undefined || options.show === true))
    throw new CairnError(
      'usage',
      `${on === undefined ? '--off' : '--on'} only switches a rules file; leave out ${options.file === undefined ? '--show' : '--file'}.`,
    )
  return switched === undefined ? list(options, context) : switchOne(switched, on !== undefined, options, context)
}

/** Returns where rules are read from: the project and the user's home. */
const inputOf = (workspace: string, { surroundings }: Context) => ({
  workspace,
  home: surroundings.home,
  files: createWorkspaceFiles([workspace]),
})

/**
 * Switches a rules file on or off: `{workspace, id, isOn}` as JSON. `named` is an id, a path or the end of one. Rejects
 * with `not-found` or `ambiguous`.
 */
const switchOne = async (named: string, isOn: boolean, options: RulesOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  const workspace = await projectOf(options, engine, context)
  const id = await engine.rules.switchFile(inputOf(workspace, context), named, isOn)
  if (options.json === true) return context.json({ workspace, id, isOn })
  await context.terminal.line(
    `${neutraliseLine(id)} is ${isOn ? 'on' : 'off'} in ${neutraliseLine(projectName(workspace))}.`,
  )
}

/**
 * Lists the rules, or those that apply to `--file`: `{workspace, file, rules, workflows, tokens, problems}` as JSON.
 * With `--show`, but not as JSON, also the texts of those that apply. Rejects with `usage` as `fileIn` does.
 */
const list = async (options: RulesOptions, context: Context): Promise<void> => {
  const engine = await context.readEngine(options)
  const workspace = await projectOf(options, engine, context)
  const file = options.file === undefined ? undefined : await fileIn(workspace, options.file, context)
  const input = inputOf(workspace, context)
  const set = await engine.rules.list(file === undefined ? input : { ...input, file })
  if (options.json === true) return context.json({ workspace, file: file ?? null, ...set })
  for (const line of ruleLines(set, file, context.terminal.width)) await context.terminal.line(line)
  if (options.show !== true) return
  for (const { id, text, applies } of set.rules)
    if (applies) await context.terminal.line(`\n${neutraliseLine(id)}\n${neutralise(text.trimEnd())}`)
}

/**
 * A path that the user gave from the working folder, as one relative to the workspace, with `/`. One that leads out of
 * the workspace from there is taken as relative to the workspace already. It need not exist.
 * @throws CairnError `usage` if it is outside of the workspace either way
 */
const pathIn = (workspace: string, given: string, { surroundings }: Context): string => {
  const path = relative(workspace, resolve(surroundings.folder, given)).replaceAll('\\', '/')
  const inside = path.startsWith('..') || isAbsolute(path) ? given.replace(/^\.\//, '') : path
  if (inside.startsWith('..') || isAbsolute(inside))
    throw new CairnError('usage', `${neutraliseLine(given)} is outside of ${neutraliseLine(workspace)}.`)
  return inside
}

/**
 * A file that the user gave, as `pathIn`; it need not exist yet. Rejects with `usage` for a path that no rules are sent
 * for: a folder, a pipe or device, and what is ignored.
 */
const fileIn = async (workspace: string, given: string, context: Context): Promise<string> => {
  const path = pathIn(workspace, given, context)
  const problem = await fileProblem(workspace, path)
  if (problem !== undefined)
    throw new CairnError('usage', `${neutraliseLine(given)} ${problem}: no rules are sent for it.`)
  return path
}

/**
 * Yields the rules as a table, or those that apply to `file`; then, without a file, the prompts, and at the end what is
 * wrong with any of them. The table has a total, which counts those that apply; without rules files it is only that.
 */
function* ruleLines(
  { rules, workflows, tokens, problems }: RuleSet,
  file: string | undefined,
  width: number,
): Generator<string> {
  const shown = file === undefined ? rules : rules.filter(({ applies }) => applies)
  const applying = rules.filter(({ applies }) => applies)
  const {
    head,
    rows,
    total = '',
  } = tableLines({
    columns: [
      { title: 'rules', shorten: 'path', minimum: 14 },
      { title: 'holds', shorten: 'end', minimum: 12 },
      { title: 'tokens', align: 'right' },
      { title: '', shorten: 'end', minimum: 10 },
    ],
    rows: shown.map((rule) => [
      neutraliseLine(rule.id),
      neutraliseLine(scopeText(rule.scope)),
      formatWhole(rule.tokens),
      neutraliseLine(stateText(rule)),
    ]),
    total: [
      'Total',
      file === undefined ? 'always' : `for ${neutraliseLine(file)}`,
      formatWhole(tokens),
      `${formatWhole(applying.length)} of ${counted(rules.length, 'file')}`,
    ],
    width,
  })
  if (shown.length > 0) yield head
  yield* rows
  yield rules.length === 0 ? 'Total: no rules files.' : total
  if (workflows.length > 0 && file === undefined) {
    yield ''
    yield 'Prompts'
    for (const { name, id, description, isOn, tokens: size } of workflows)
      yield* wrapLine(
        `  /${neutraliseLine(name)}  ${neutraliseLine(description)} (${neutraliseLine(id)}, ${counted(size, 'token')}${isOn ? '' : ', off'})`,
        width,
      )
  }
  for (const notice of [
    ...problems,
    ...rules.flatMap(({ notices }) => notices),
    ...workflows.flatMap((one) => one.notices),
  ])
    yield* wrapLine(neutraliseLine(notice), width)
}

/** Returns when a rule applies, in words, not yet safe to print. Globs with the folder that they are below. */
const scopeText = (scope: RuleScope): string => {
  switch (scope.kind) {
    case 'always':
      return 'always'
    case 'folder':
      return `below ${scope.folder}`
    case 'globs':
      return `${scope.globs.join(', ')}${scope.folder === undefined ? '' : ` below ${scope.folder}`}`
    case 'description':
      return `on demand: ${scope.description}`
    case 'manual':
      return 'when named'
  }
}

/** Returns why a rule does not count by itself, or what it imports; empty if there is neither. */
const stateText = ({ isOn, sameAs, replacedBy, imports, textTokens }: Rule): string => {
  if (!isOn) return `off (${counted(textTokens, 'token')})`
  if (replacedBy !== undefined) return `replaced by ${replacedBy}`
  if (sameAs !== undefined) return `in ${sameAs}`
  return imports.length === 0 ? '' : `with ${imports.join(', ')}`
}
