// Ranking without a store: tables made naively in memory from analysed messages. For trying out changes of the rankers:
//   node --conditions=@cairn/source tools/bench/recall-lab.mjs [--only LoCoMo] [--types]
import { parseArgs } from 'node:util'
import { pathToFileURL } from 'node:url'
import { analyseMessage } from '../../packages/core/src/text-analysis/message-analysis.ts'
import { prepareForAnalysis } from '../../packages/core/src/text-analysis/message-text.ts'
import { analyseQuery, chooseTerms } from '../../packages/core/src/text-analysis/query.ts'
import { rankMessages } from '../../packages/core/src/recall/rank/rank-messages.ts'
import { rankSessions } from '../../packages/core/src/recall/rank/rank-sessions.ts'
import { analyseQueryFacts } from '../../packages/core/src/recall/rank/query-facts.ts'
import { idfs, PASSAGE_BM25, saturatedFrequency } from '../../packages/core/src/recall/rank/bm25.ts'
import {
  authorAndDateFit,
  namedAuthors,
  contentSpecificity,
} from '../../packages/core/src/recall/rank/authors-and-dates.ts'
import { namedFileMatcher } from '../../packages/core/src/recall/rank/named-files.ts'
import { fileNameHash } from '../../packages/core/src/recall/rank/spoken-files.ts'
import { splitUnknownNames } from '../../packages/core/src/recall/rank/unknown-names.ts'
import { termWeights } from '../../packages/core/src/recall/rank/term-weights.ts'
import { BEST_OF_FILE, BEST_OF_SESSION, SESSION_FIELDS } from '../../packages/core/src/recall/rank/session-table.ts'
import { allSets, keyOf } from './recall-data.mjs'
import { LEGEND, printTable, tableOf } from './recall-metrics.mjs'

/** Messages of one workspace in the order of sessions, analysed, with their postings. */
const analyseWorkspace = (lines) => {
  const sessions = new Map()
  for (const line of lines) {
    const session = sessions.get(line.session) ?? { id: line.session, branch: line.branch ?? null, lines: [] }
    session.lines.push(line)
    session.branch = line.branch ?? session.branch
    sessions.set(line.session, session)
  }
  const messages = []
  /** hash → [passage, count, form, …] */
  const postings = new Map()
  let passages = 0
  ;[...sessions.values()].forEach((session, number) => {
    for (const line of session.lines) {
      const content = [
        { type: 'text', text: line.text },
        ...(line.tool === undefined ? [] : [{ type: 'other', value: { tool: line.tool } }]),
      ]
      const analysed = analyseMessage(prepareForAnalysis({ role: line.role, content, author: line.author }, () => []))
      const first = passages
      for (const { hashes, counts } of analysed.passages) {
        hashes.forEach((hash, rowOf) => {
          let list = postings.get(hash)
          if (list === undefined) postings.set(hash, (list = []))
          list.push(passages, counts[rowOf])
        })
        passages++
      }
      messages.push({
        key: keyOf(line.session, line.id),
        session: number,
        at: line.at === undefined ? NaN : Date.parse(line.at),
        first,
        ...analysed,
      })
    }
  })
  const passageMessage = new Int32Array(passages)
  messages.forEach(({ first, passages: own }, message) =>
    own.forEach((_, offset) => (passageMessage[first + offset] = message)),
  )
  return { sessions: [...sessions.values()], messages, postings, passages, passageMessage }
}

/** Counts of the terms over the messages that pass the filters. */
const countsOf = (index, query) => {
  const until = query.until === undefined ? Infinity : Date.parse(query.until)
  const allowed = index.messages.map(({ at }) => !(at >= until))
  const df = (hash) => {
    let count = 0
    const list = index.postings.get(hash) ?? []
    for (let rowOf = 0; rowOf < list.length; rowOf += 2) if (allowed[index.passageMessage[list[rowOf]]]) count++
    return count
  }
  const terms = chooseTerms(analyseQuery(query.query), ({ hash }) => df(hash))
  const width = terms.length
  const counts = new Uint8Array(index.passages * width)
  const forms = new Uint8Array(index.passages * width)
  const corpus = {
    messages: 0,
    passages: 0,
    sessions: 0,
    tokens: 0,
    termPassages: new Float64Array(width),
    termSessions: new Float64Array(width),
    termForms: new Float64Array(width),
  }
  const hit = new Uint8Array(index.messages.length)
  const seen = new Set()
  index.messages.forEach(({ passages, session }, message) => {
    if (!allowed[message]) return
    corpus.messages++
    corpus.passages += passages.length
    corpus.tokens += passages.reduce((sum, { tokens }) => sum + tokens, 0)
    seen.add(session)
  })
  corpus.sessions = seen.size
  terms.forEach(({ hash, form }, column) => {
    const list = index.postings.get(hash) ?? []
    const holding = new Set()
    for (let rowOf = 0; rowOf < list.length; rowOf += 2) {
      const passage = list[rowOf]
      const message = index.passageMessage[passage]
      if (!allowed[message]) continue
      const value = list[rowOf + 1]
      counts[passage * width + column] = value & 15
      forms[passage * width + column] = value >> 4
      corpus.termPassages[column]++
      if (form === 0 || ((value >> 4) & form) !== 0) corpus.termForms[column]++
      holding.add(index.messages[message].session)
      hit[message] = 1
    }
    corpus.termSessions[column] = holding.size
  })
  return { allowed, terms, width, counts, forms, corpus, hit }
}

/** By message: what its tools did to files that the query names; and whether it fits all else that is named. */
const namedOf = ({ messages }, query, terms, corpus) => {
  const facts = analyseQueryFacts(query.query)
  const isFile = namedFileMatcher(query.query) ?? (() => false)
  const touched = messages.map(({ files }) =>
    files.reduce(
      (most, { path, operation }) => (isFile(path) ? Math.max(most, operation === 'edit' ? 2 : 1) : most),
      0,
    ),
  )
  const authors = namedAuthors(
    facts,
    messages.map(({ author }) => author),
  )
  const says = contentSpecificity(
    splitUnknownNames(terms, corpus.termPassages),
    corpus.termPassages,
    corpus.passages,
    facts,
    authors,
  )
  const isNamed = facts.dates.length > 0 || (authors.size > 0 && says < 1)
  const editedSpoken = messages.map(({ files }) =>
    files.some(({ path, operation }) => operation === 'edit' && facts.spokenFiles.has(fileNameHash(path))) ? 1 : 0,
  )
  return {
    touched,
    editedSpoken,
    fits: messages.map(
      ({ author, at }, message) =>
        touched[message] > 0 || (isNamed && authorAndDateFit(facts, authors, author, at) === 1),
    ),
  }
}

/** The table of a query over a workspace, as the search would build it. */
const matchTableOf = (index, query) => {
  const { allowed, terms, width, counts, forms, corpus, hit } = countsOf(index, query)
  const { messages } = index
  const { touched, editedSpoken, fits } = namedOf(index, query, terms, corpus)
  const chosen = []
  messages.forEach(({ session }, message) => {
    if (!allowed[message]) return
    for (let other = Math.max(0, message - 2); other <= message + 2; other++) {
      if ((hit[other] || fits[other]) && messages[other]?.session === session) {
        chosen.push(message)
        return
      }
    }
  })
  const rows = chosen.length
  const passages = chosen.reduce((sum, message) => sum + messages[message].passages.length, 0)
  const table = {
    terms,
    corpus,
    rows,
    candidate: Uint8Array.from(chosen, (message) => hit[message] || (fits[message] ? 2 : 0)),
    session: Int32Array.from(chosen, (message) => messages[message].session),
    follows: Uint8Array.from(chosen, (message, row) =>
      row > 0 && chosen[row - 1] === message - 1 && messages[message - 1].session === messages[message].session ? 1 : 0,
    ),
    at: Float64Array.from(chosen, (message) => messages[message].at),
    flags: Uint16Array.from(chosen, (message) => messages[message].flags),
    author: Uint32Array.from(chosen, (message) => messages[message].author),
    touched: Uint8Array.from(chosen, (message) => touched[message]),
    editedSpoken: Uint8Array.from(chosen, (message) => editedSpoken[message]),
    firstPassage: new Int32Array(rows + 1),
    passageTokens: new Uint16Array(passages),
    counts: new Uint8Array(passages * width),
    forms: new Uint8Array(passages * width),
    sessions: index.sessions.length,
    sessionTokens: new Float64Array(index.sessions.length),
    sessionCounts: new Float64Array(index.sessions.length * width),
  }
  let passage = 0
  chosen.forEach((message, row) => {
    const { first, passages: own } = messages[message]
    own.forEach(({ tokens }, offset) => {
      table.passageTokens[passage] = tokens
      for (let column = 0; column < width; column++) {
        table.counts[passage * width + column] = counts[(first + offset) * width + column]
        table.forms[passage * width + column] = forms[(first + offset) * width + column]
      }
      passage++
    })
    table.firstPassage[row + 1] = passage
  })
  messages.forEach(({ session, first, passages: own }, message) => {
    if (!allowed[message]) return
    own.forEach(({ tokens }, offset) => {
      table.sessionTokens[session] += tokens
      for (let column = 0; column < width; column++)
        table.sessionCounts[session * width + column] += counts[(first + offset) * width + column]
    })
  })
  return { table, keys: chosen.map((message) => messages[message].key) }
}

/** BM25 of passages; `counts` by passage and term, `weights` by term. */
const passageScores = (counts, weights, tokens, corpus) => {
  const termIdf = idfs(corpus.passages, corpus.termPassages).map((value, term) => value * weights[term])
  const mean = corpus.tokens / corpus.passages || 1
  return Float64Array.from(tokens, (length, passage) =>
    termIdf.reduce(
      (score, value, term) =>
        score + value * saturatedFrequency(counts[passage * termIdf.length + term], length / mean, PASSAGE_BM25),
      0,
    ),
  )
}

/** The table column by column, counted naively. */
const sessionTableOf = (index, query) => {
  const { allowed, terms, width, counts, corpus } = countsOf(index, query)
  const { messages } = index
  const present = index.sessions.map(() => false)
  const at = index.sessions.map(() => NaN)
  messages.forEach((message, number) => {
    if (!allowed[number]) return
    present[message.session] = true
    if (!(at[message.session] > message.at)) at[message.session] = message.at
  })
  const numbers = index.sessions.flatMap((_, number) => (present[number] ? [number] : []))
  const rowOf = new Map(numbers.map((number, row) => [number, row]))
  const fields = Object.fromEntries(
    SESSION_FIELDS.map((field) => [
      field,
      {
        counts: new Float32Array(numbers.length * width),
        tokens: new Float64Array(numbers.length),
        termSessions: new Float64Array(width),
      },
    ]),
  )
  const best = numbers.map(() => [])
  const files = new Map()
  const scores = passageScores(
    counts,
    termWeights(splitUnknownNames(terms, corpus.termPassages), analyseQueryFacts(query.query).asks),
    index.messages.flatMap(({ passages }) => passages.map(({ tokens }) => tokens)),
    corpus,
  )
  messages.forEach((message, number) => {
    if (!allowed[number]) return
    const row = rowOf.get(message.session)
    const role = message.flags & 3
    const kind = (message.flags >> 2) & 3
    let score = 0
    message.passages.forEach(({ tokens }, offset) => {
      score = Math.max(score, scores[message.first + offset])
      for (const field of SESSION_FIELDS) {
        if (field === 'user' ? role !== 0 : field === 'withoutResults' ? kind === 3 : false) continue
        fields[field].tokens[row] += tokens
        for (let column = 0; column < width; column++)
          fields[field].counts[row * width + column] += counts[(message.first + offset) * width + column]
      }
    })
    for (const { path, operation } of message.files) {
      const file = files.get(path) ?? { path, editedBy: new Set(), touchedBy: new Set(), editScores: [] }
      files.set(path, file)
      file.touchedBy.add(row)
      if (operation !== 'edit') continue
      file.editedBy.add(row)
      if (score > 0) file.editScores.push(score)
    }
  })
  for (const field of SESSION_FIELDS) {
    for (let row = 0; row < numbers.length; row++)
      for (let column = 0; column < width; column++)
        if (fields[field].counts[row * width + column] > 0) fields[field].termSessions[column]++
  }
  const matches = matchTableOf(index, query)
  const byRow = rankMessages(matches.table, analyseQueryFacts(query.query)).scores
  byRow.forEach((score, row) => {
    if (score > 0) best[rowOf.get(matches.table.session[row])].push(score)
  })
  const top = (list, most) => list.sort((left, right) => right - left).slice(0, most)
  const table = {
    terms,
    sessions: numbers.length,
    branch: numbers.map((number) => index.sessions[number].branch),
    // Sessions of the data sets have no titles.
    titleShare: new Float64Array(numbers.length),
    at: Float64Array.from(numbers, (number) => at[number]),
    fields,
    best: Float32Array.from(
      best.flatMap((list) =>
        [...top(list, BEST_OF_SESSION), ...Array(BEST_OF_SESSION).fill(0)].slice(0, BEST_OF_SESSION),
      ),
    ),
    files: [...files.values()].map(({ path, editedBy, touchedBy, editScores }) => ({
      path,
      editedBy: Int32Array.from([...editedBy].sort((left, right) => left - right)),
      touchedBy: Int32Array.from([...touchedBy].sort((left, right) => left - right)),
      editScores: Float32Array.from(top(editScores, BEST_OF_FILE)),
    })),
  }
  return { table, keys: numbers.map((number) => index.sessions[number].id) }
}

/** All queries of a set with their tables. */
const prepare = (set) => {
  const workspaces = Map.groupBy(set.lines, ({ workspace }) => workspace)
  const indices = new Map([...workspaces].map(([name, lines]) => [name, analyseWorkspace(lines)]))
  return set.queries.map((query) => {
    const index = indices.get(query.workspace)
    const prepared = query.by === 'session' ? sessionTableOf(index, query) : matchTableOf(index, query)
    return { query, facts: analyseQueryFacts(query.query), ...prepared }
  })
}

/** Best first; equal ones newest first. */
const orderOf = ({ table, keys }, scores, allowed = () => true) =>
  [...keys.keys()]
    .filter((row) => scores[row] > 0 && allowed(row))
    .sort((left, right) => scores[right] - scores[left] || table.at[right] - table.at[left])
    .map((row) => keys[row])

/** The order of what each query finds, by its id. */
const results = (prepared, options) =>
  new Map(
    prepared.map((entry) => {
      const { query, facts, table } = entry
      if (query.by === 'session')
        return [
          query.id,
          orderOf(entry, rankSessions(table, { ...facts, branch: query.branch }, options?.sessions).scores),
        ]
      return [query.id, orderOf(entry, rankMessages(table, facts, options?.messages).scores)]
    }),
  )

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { only: { type: 'string' }, types: { type: 'boolean', default: false } } })
  console.log(LEGEND)
  for (const set of allSets()) {
    if (values.only !== undefined && set.name !== values.only) continue
    const rows = tableOf(set, results(prepare(set)))
    printTable(set.name, set, values.types || set.name === 'LoCoMo' ? rows : rows.slice(0, 1))
  }
}
