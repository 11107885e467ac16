/** `cairn recall`: searches everything that was ever said. */
import { resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Engine, Role, SearchHit, SearchQuery } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { checkAgent, sayUnmatched } from '../filters.ts'
import type { NameFilter } from '../filters.ts'
import { hitJson, jsonText } from '../json-output.ts'
import { oneOf, timeRange, wholeNumber } from '../option-values.ts'
import { readQueries } from '../recall-queries.ts'
import type { RecallGrouping, RecallQuery } from '../recall-queries.ts'
import { hitsIn, markHits, queryWords, snippetOf } from '../recall-snippet.ts'
import { counted, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapAfter } from '../terminal/wrap.ts'

interface RecallOptions extends CommonOptions {
  readonly limit: number
  readonly by: RecallGrouping
  readonly since?: string
  readonly until?: string
  readonly branch?: string
  readonly agent?: string
  readonly role?: Role
  readonly session?: string
  readonly explain?: boolean
  readonly queries?: string
}

const ROLES: readonly Role[] = ['user', 'assistant', 'system', 'tool']
/** Hits that are looked at for each session wanted: a session often has several. */
const HITS_PER_SESSION = 8

const HELP = `
What holds all words comes first, then what holds some of them. Trimmed and
compacted messages are found, too.

Examples:
  cairn recall "flaky login test"
  cairn recall "rate limit" --workspace . --since 30d --by session
  cairn recall "why did we drop redis" --role assistant --json
  cairn recall --queries queries.jsonl > answers.jsonl
      a line {"id", "query", "workspace"?, "branch"?, "since"?, "until"?, "by"?}
      gives a line {"id", "results"}`

export const define: Define = (command, context) => {
  command
    .description('Search everything that was ever said, in all sessions.')
    .argument('[query...]', 'words to look for')
    .option('--limit <n>', 'at most so many results', wholeNumber('--limit', 1), 10)
    .option('--by <grouping>', 'message, or session: the best message of each', oneOf('--by', ['message', 'session']), 'message')
    .option('--since <time>', 'said since')
    .option('--until <time>', 'said before')
    .option('--branch <name>', 'only this git branch')
    .option('--agent <name>', 'only this agent')
    .option('--role <role>', ROLES.join(', '), oneOf('--role', ROLES))
    .option('--session <id>', 'only this session')
    .option('--explain', 'say why each result was found')
    .option('--queries <file>', 'answer many queries, as JSON Lines')
    .addHelpText('after', HELP)
    .action((words: readonly string[], options: RecallOptions) => runRecall(words.join(' '), options, context))
}

interface Found {
  readonly hit: SearchHit
  /** Results of its session, where sessions were asked for. */
  readonly hits: number
}

const search = async (query: SearchQuery, by: RecallGrouping, limit: number, engine: Engine): Promise<readonly Found[]> => {
  if (by === 'message') return (await engine.recall({ ...query, limit })).map((hit) => ({ hit, hits: 1 }))
  const sessions = new Map<string, { hit: SearchHit; hits: number }>()
  for (const hit of await engine.recall({ ...query, limit: limit * HITS_PER_SESSION })) {
    const known = sessions.get(hit.sessionId)
    if (known === undefined) sessions.set(hit.sessionId, { hit, hits: 1 })
    else known.hits++
  }
  return [...sessions.values()].slice(0, limit)
}

const explanation = (hit: SearchHit, query: string): Record<string, unknown> => {
  const words = queryWords(query)
  const found = words.filter((word) => hitsIn(hit.text, [word]).length > 0)
  return { ranker: 'bm25', score: hit.score, found, missing: words.filter((word) => !found.includes(word)) }
}

const resultJson = ({ hit, hits }: Found, query: string, by: RecallGrouping, explain: boolean): Record<string, unknown> => ({
  ...hitJson(hit, snippetOf(hit.text, query)),
  ...(by === 'session' ? { hits } : {}),
  ...(explain ? { explain: explanation(hit, query) } : {}),
})

const runRecall = async (text: string, options: RecallOptions, context: Context): Promise<void> => {
  if ((text.trim() === '') === (options.queries === undefined)) {
    throw new CairnError('usage', options.queries === undefined ? 'What shall be found? Give some words: cairn recall "rate limit"' : 'Give either words or --queries, not both.')
  }
  const { timezone } = await context.settings(options)
  const range = timeRange(options, timezone.value, context.now())
  const workspace = await context.workspace(options)
  const engine = await context.readEngine(options)
  await checkAgent(options.agent, engine)
  const names: NameFilter = { ...(workspace === undefined ? {} : { workspace }), ...(options.branch === undefined ? {} : { branch: options.branch }) }
  const filter: Omit<SearchQuery, 'text'> = {
    ...range,
    ...names,
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    ...(options.role === undefined ? {} : { role: options.role }),
    ...(options.session === undefined ? {} : { sessionId: (await engine.session(options.session)).id }),
  }
  if (options.queries !== undefined) await sayUnmatched(names, engine, context)
  if (options.queries !== undefined) return answerAll(resolve(context.surroundings.folder, options.queries), timezone.value, filter, options, engine, context)
  const found = await search({ ...filter, text }, options.by, options.limit, engine)
  if (found.length === 0) await sayUnmatched(names, engine, context)
  if (options.json === true) return context.json({ results: found.map((each) => resultJson(each, text, options.by, options.explain === true)) })
  await showResults(found, text, options, engine, context)
}

const answerAll = async (path: string, timeZone: string, filter: Omit<SearchQuery, 'text'>, options: RecallOptions, engine: Engine, context: Context): Promise<void> => {
  const { terminal } = context
  for await (const asked of readQueries(path, timeZone, context.now())) {
    if (!asked.ok) {
      terminal.note(`Query in line ${asked.line}: ${asked.problem}; the others are answered.`)
      context.setExitCode(1)
      await terminal.line(jsonText({ id: asked.id, error: { code: 'invalid-input', message: `line ${asked.line}: ${asked.problem}` } }))
      continue
    }
    const { id, query, by = options.by, ...own }: RecallQuery = asked.query
    const found = await search({ ...filter, ...own, text: query }, by, options.limit, engine)
    await terminal.line(jsonText({ id, results: found.map((each) => resultJson(each, query, by, options.explain === true)) }))
  }
}

const showResults = async (found: readonly Found[], query: string, options: RecallOptions, engine: Engine, { terminal }: Context): Promise<void> => {
  const dim = async (text: string, indent = ''): Promise<void> => {
    for (const line of wrapAfter(indent, text, terminal.width)) await terminal.line(terminal.style('dim', line))
  }
  for (const { hit, hits } of found) {
    const session = await engine.store.sessions.get(hit.sessionId)
    const place = [formatTime(hit.at), hit.role, neutraliseLine(session?.title ?? hit.sessionId), ...(options.by === 'session' ? [counted(hits, 'hit')] : [])]
    await dim(place.join(' · '))
    for (const line of wrapAfter('  ', neutraliseLine(snippetOf(hit.text, query)), terminal.width)) await terminal.line(markHits(line, query, (word) => terminal.style('bold', word)))
    if (options.explain === true) {
      const { found: words, missing } = explanation(hit, query) as { readonly found: readonly string[]; readonly missing: readonly string[] }
      await dim(`score ${hit.score.toFixed(2)} (bm25), words found: ${words.join(', ') || 'none'}${missing.length > 0 ? `, missing: ${missing.join(', ')}` : ''}`, '  ')
    }
    await dim(`cairn session show ${neutraliseLine(hit.sessionId)}`, '  ')
    await terminal.line()
  }
  await terminal.line(found.length === 0 ? 'Nothing was found.' : `Total: ${counted(found.length, options.by === 'session' ? 'session' : 'message')}`)
}
