/** `cairn recall`: searches the messages of all sessions, memory and notes. */
import { resolve } from 'node:path'
import { CairnError, NO_KNOWLEDGE, knowledgeFor, knowledgeHolds, knowledgeJson } from '@cairn/core'
import type { Engine, Knowledge, RankerName, Role } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { checkAgent, sayUnmatched } from '../options/filters.ts'
import type { NameFilter } from '../options/filters.ts'
import { jsonText } from '../output/json-output.ts'
import { limitHeap } from '../runtime/heap-limit.ts'
import { oneOf, someText, timeRange, wholeNumber } from '../options/option-values.ts'
import { checkProject, currentProject } from '../options/project-option.ts'
import { printAnswer } from '../output/recall-output.ts'
import { ROLES, readQueries } from '../search/recall-queries.ts'
import type { RecallGrouping, RecallQuery } from '../search/recall-queries.ts'
import { correctedSearch, readingJson, resultsJson } from '../search/recall-search.ts'
import type { RecallFilter } from '../search/recall-search.ts'
import { asUsage } from '../options/wrong-usage.ts'

interface RecallOptions extends CommonOptions {
  readonly limit: number
  readonly by: RecallGrouping
  readonly since?: string
  readonly until?: string
  readonly branch?: string
  readonly onlyBranch?: string
  readonly agent?: string
  readonly role?: Role
  readonly author?: string
  readonly session?: string
  readonly file?: string
  readonly ranker: RankerName
  readonly explain?: boolean
  readonly queries?: string
}

const RANKERS: readonly RankerName[] = ['cairn', 'bm25', 'clio']

const HELP = `
English words match in all their forms ("refresh" finds "refreshing"), as parts
of identifiers, and however a name is written ("session log", sessionLog). A
word that occurs nowhere is treated as a typing error of a similar one, and the
answer says so. Put -- before a query that starts with a dash. A person's name
finds what that person wrote, a month what was written then.
Trimmed and compacted messages are found too. Memory entries and notes come
first. Without --workspace all projects are searched.

By message, --branch excludes messages of other branches. By session, it is your
current branch, whose sessions rank higher; --only-branch excludes the others in
both cases. The same applies to --queries.
--ranker bm25 and clio are only for comparison with cairn.

Examples:
  cairn recall "flaky login test"
  cairn recall "which sessions matter for the login rewrite" --by session \\
    --branch feature/login
  cairn recall "login form" --by session --only-branch feature/login
  cairn recall "rate limit" --workspace . --since 30d
  cairn recall "why did we drop redis" --role assistant --explain
  cairn recall "the trip" --author anna
  cairn recall "off by one" --file src/pages.ts --json
  cairn recall --queries queries.jsonl > answers.jsonl
      a line {"id", "query", "workspace"?, "branch"?, "onlyBranch"?, "since"?,
      "until"?, "by"?} gives a line {"id", "results"}`

/** Declares `cairn recall`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Search all messages of all sessions, memory and notes.')
    .argument('[query...]', 'words to look for')
    .option('--limit <n>', 'at most n results', wholeNumber('--limit', 1), 10)
    .option(
      '--by <grouping>',
      'message, or session: rank sessions for a request',
      oneOf('--by', ['message', 'session']),
      'message',
    )
    .option('--since <time>', 'written since then')
    .option('--until <time>', 'written before then')
    .option(
      '--branch <name>',
      'only this git branch; by session: rank it higher',
      someText('--branch', "a branch's name"),
    )
    .option(
      '--only-branch <name>',
      'only this git branch, also by session',
      someText('--only-branch', "a branch's name"),
    )
    .option('--agent <name>', 'only this agent')
    .option('--role <role>', ROLES.join(', '), oneOf('--role', ROLES))
    .option(
      '--author <name>',
      'only messages of this person (first name, any case)',
      someText('--author', "a person's name"),
    )
    .option('--session <id>', 'only this session', someText('--session', "a session's id, or the beginning of it"))
    .option(
      '--file <path>',
      'only where a tool read or edited this file',
      someText('--file', "a file's path or its end"),
    )
    .option('--ranker <name>', RANKERS.join(', '), oneOf('--ranker', RANKERS), 'cairn')
    .option('--explain', 'explain why each result was found')
    .option('--queries <file>', 'answer many queries, as JSON Lines; - reads standard input')
    .addHelpText('after', HELP)
    .action((words: readonly string[], options: RecallOptions) => runRecall(words.join(' '), options, context))
}

/**
 * Does nothing for options that go together.
 * @throws CairnError `usage` for a missing query, and for options that exclude each other
 */
const checkUsage = (text: string, { by, role, author, session, queries, branch, onlyBranch }: RecallOptions): void => {
  if (queries !== undefined && text.trim() !== '')
    throw new CairnError('usage', 'Give either words or --queries, not both.')
  if (queries === undefined && text.trim() === '')
    throw new CairnError('usage', 'What should be searched for? Give some words: cairn recall "rate limit"')
  if (branch !== undefined && onlyBranch !== undefined)
    throw new CairnError('usage', 'Give either --branch or --only-branch, not both.')
  const ofMessages = [
    ...(role === undefined ? [] : ['--role']),
    ...(author === undefined ? [] : ['--author']),
    ...(session === undefined ? [] : ['--session']),
  ]
  if (by === 'session' && ofMessages.length > 0)
    throw new CairnError(
      'usage',
      `${ofMessages.join(' and ')} can't be used with --by session: a session has all roles.`,
    )
}

/**
 * Answers the query of the command line, or those of a file. Rejects with `usage` for options that exclude each other,
 * for an unknown agent and for a text that is no time.
 */
const runRecall = async (text: string, options: RecallOptions, context: Context): Promise<void> => {
  checkUsage(text, options)
  const { timezone } = await context.settings(options)
  const range = timeRange(options, timezone.value, context.now())
  const workspace = await context.workspace(options)
  await limitHeap()
  const engine = await context.readEngine(options)
  await checkAgent(options.agent, engine)
  const names = namesToCheck(options, workspace)
  const filter: RecallFilter = { ...range, ...(await filterOf(options, workspace, engine)) }
  if (options.queries !== undefined) {
    await sayMissing(names, options, engine, context)
    const path = options.queries === '-' ? '-' : resolve(context.surroundings.folder, options.queries)
    return answerAll(path, timezone.value, filter, options, engine, context)
  }
  await answerOne(text, filter, names, options, engine, context)
}

/**
 * Filters by name that are reported when no session matches them. By session, --branch only prefers, so it is not among
 * them.
 */
const namesToCheck = ({ branch, onlyBranch, by }: RecallOptions, workspace: string | undefined): NameFilter =>
  definedValues({ workspace, branch: onlyBranch ?? (by === 'session' ? undefined : branch) })

/** The filter that the options ask for. Rejects with `not-found` or `ambiguous` for `--session`. */
const filterOf = async (
  { branch, onlyBranch, agent, role, author, session, file }: RecallOptions,
  workspace: string | undefined,
  engine: Engine,
): Promise<RecallFilter> => {
  const sessionId = session === undefined ? undefined : (await engine.sessions.find(session)).id
  return definedValues({ workspace, branch, onlyBranch, agent, role, author, file, sessionId })
}

/**
 * Searches messages, memory and notes for one query, corrected as `correctedSearch` does (words that memory or notes
 * hold are not), and prints what was found and what was corrected. Where nothing was found, it first rejects or reports
 * as `sayMissing` does.
 */
const answerOne = async (
  text: string,
  filter: RecallFilter,
  names: NameFilter,
  options: RecallOptions,
  engine: Engine,
  context: Context,
): Promise<void> => {
  const { by, limit, ranker } = options
  const kept = await knowledgeOf(text, filter, options, engine, context)
  const searched = await asUsage(
    correctedSearch({ ...filter, text, limit, ranker }, by, engine, (words) => knowledgeHolds(kept, words)),
  )
  const { found, corrections, notVerbatim, text: query } = searched
  const knowledge = query === text ? kept : await knowledgeOf(query, filter, options, engine, context)
  if (found.length + knowledge.memory.length + knowledge.notes.length === 0)
    await sayMissing(names, options, engine, context)
  const explain = options.explain === true
  if (options.json === true)
    return context.json({
      ...readingJson(searched),
      results: resultsJson(found, query, by, explain),
      ...knowledgeJson(knowledge, query),
    })
  await printAnswer({ query, corrections, notVerbatim, by, explain, found, knowledge }, options, engine, context)
}

/**
 * Rejects with `not-found` for a `--workspace` that neither the store nor the disk has; reports on standard error which
 * of `names` match nothing.
 */
const sayMissing = async (
  names: NameFilter,
  options: RecallOptions,
  engine: Engine,
  context: Context,
): Promise<void> => {
  await checkProject(options, engine, context)
  await sayUnmatched(names, engine, context, 'Nothing')
}

/**
 * Memory entries and notes that match. They have no role, author, branch, session, agent or file: with such a condition
 * there are none. Exception: `--branch` with `--by session` does not exclude them.
 */
const knowledgeOf = async (
  text: string,
  { workspace, since, until, ...others }: RecallFilter,
  { limit, by }: RecallOptions,
  engine: Engine,
  context: Context,
): Promise<Knowledge> => {
  const { branch, ...conditions } = others
  if (Object.keys(conditions).length > 0 || (branch !== undefined && by === 'message')) return NO_KNOWLEDGE
  return knowledgeFor(
    text,
    {
      workspace,
      current: await currentProject(context),
      limit,
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    },
    engine,
  )
}

/**
 * Answers the queries of a file (`-`: standard input), one JSON line each, in their order, from sessions only, without
 * memory and notes. A line's own conditions override the options. A line that is no query gets an error, told on
 * standard error too, and makes the exit code 1. Stops quietly when the output can't be written any more.
 */
const answerAll = async (
  path: string,
  timeZone: string,
  filter: RecallFilter,
  options: RecallOptions,
  engine: Engine,
  context: Context,
): Promise<void> => {
  const { terminal } = context
  const { limit, ranker } = options
  for await (const asked of readQueries(path, timeZone, context.now())) {
    // The reader of the output has gone.
    if (terminal.outputFailure !== undefined) return
    if (!asked.ok) {
      terminal.note(`Query in line ${asked.line}: ${asked.problem.replace(/\.$/, '')}; the others are answered.`)
      context.setExitCode(1)
      await terminal.line(
        jsonText({ id: asked.id, error: { code: 'invalid-input', message: `line ${asked.line}: ${asked.problem}` } }),
      )
      continue
    }
    const { id, query, by = options.by, ...own }: RecallQuery = asked.query
    const { branch, onlyBranch, ...others } = filter
    // A line that names a branch overrides both options.
    const ofBranch = own.branch === undefined && own.onlyBranch === undefined ? filter : others
    const searched = await correctedSearch({ ...ofBranch, ...own, text: query, limit, ranker }, by, engine)
    const results = resultsJson(searched.found, searched.text, by, options.explain === true)
    await terminal.line(jsonText({ id, ...readingJson(searched), results }))
  }
}
