/**
 * Characters per token as a session's own requests show them: by how much the provider's count grew from one request to
 * the next, and by how many characters the conversation did. What both requests were sent with beside the messages
 * (system prompt, tools) is the same and cancels out.
 */
import type { ContentBlock } from '../messages.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { SessionStorage, SessionSummary } from '../ports/session-storage.ts'
import type { StateStorage } from '../ports/state-storage.ts'
import type { StoredRequest, UsageStorage } from '../ports/usage-storage.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { createCalibration } from '../tokens/calibration.ts'
import { contentCharacters } from '../tokens/content-characters.ts'
import { MESSAGE_OVERHEAD_TOKENS, attachmentTokens } from '../tokens/estimate.ts'
import { countOfSession, countedRatio } from './kept-counts.ts'
import { allInput } from './session-model.ts'

export interface LearnedRatio {
  readonly charsPerToken: number
  /** Growths of a conversation that it was learned from; 0: none. */
  readonly observations: number
}

/** What estimates of a session are made with. */
export interface EstimateRatio extends LearnedRatio {
  /**
   * `session`: its own requests. `other-session`: the newest other one with the model. `counter`: what the provider's
   * own counter gave, for this session where it was counted, else for the model. `model`: nothing was learned.
   */
  readonly from: 'session' | 'other-session' | 'counter' | 'model'
}

/** Of another session the end is enough, entries. */
const MOST_READ = 2000

/** Where the ratio of a session is learned from. */
export interface RatioSources {
  readonly sessions: Pick<SessionStorage, 'list' | 'read'>
  readonly usage: Pick<UsageStorage, 'requests'>
  readonly state: Pick<StateStorage, 'get'>
}

/** A session and what is known of its model. */
interface RatioQuestion {
  readonly sessionId: string
  readonly entries: readonly LogEntry[]
  readonly requests: readonly StoredRequest[]
  readonly facts: Pick<ModelFacts, 'id' | 'charsPerToken'>
  /** Later requests, counts and sessions teach nothing, ms. */
  readonly at?: number | undefined
}

/**
 * The ratio of a session: learned from its own requests, else from a count of it by the provider's counter, else from
 * the newest other session with the model (its newest 2,000 entries), else from counts of the model in other sessions,
 * else the model's usual one; `from` says which. After a count of the session only later requests count. Where the
 * session itself tells, no other one is read. Rejects as the sources do.
 */
export const ratioOfSession = async (sources: RatioSources, question: RatioQuestion): Promise<EstimateRatio> => {
  const { sessionId, facts, at } = question
  if (facts.id === '') return { ...learnedOf(question), from: 'model' }
  const counted = await countedRatio(sources.state, facts.id)
  const usual = { ...facts, charsPerToken: counted ?? facts.charsPerToken }
  const own = await ratioOf(sources, { ...question, facts: usual })
  if (own.from !== 'model') return own
  const page = await sources.sessions.list({
    model: facts.id,
    limit: 2,
    ...(at === undefined ? {} : { until: at }),
  })
  const other = page.sessions.find(({ id }) => id !== sessionId)
  const learned = other === undefined ? own : await ratioOfOther(sources, other, { facts: usual, at })
  if (learned.from !== 'model') return { ...learned, from: 'other-session' }
  return counted === undefined ? own : { ...own, from: 'counter' }
}

/**
 * What a session itself tells: its requests since its newest count (`session`), else that count (`counter`), else the
 * ratio of `facts` (`model`).
 */
const ratioOf = async ({ state }: RatioSources, question: RatioQuestion): Promise<EstimateRatio> => {
  const { sessionId, requests, facts, at } = question
  const count = await countOfSession(state, sessionId, facts.id, at)
  const learned = learnedOf({
    ...question,
    facts: { ...facts, charsPerToken: count?.charsPerToken ?? facts.charsPerToken },
    requests: count === undefined ? requests : requests.filter((request) => (request.at ?? 0) > count.at),
  })
  if (learned.observations > 0) return { ...learned, from: 'session' }
  return { ...learned, from: count === undefined ? 'model' : 'counter' }
}

/**
 * The ratio learned from another session, of which only the newest `MOST_READ` entries are read. `from` never says that
 * it is another session's.
 */
const ratioOfOther = async (
  sources: RatioSources,
  { id, entries }: Pick<SessionSummary, 'id' | 'entries'>,
  { facts, at }: Pick<RatioQuestion, 'facts' | 'at'>,
): Promise<EstimateRatio> => {
  const [log, requests] = await Promise.all([
    sources.sessions.read(id, { fromSeq: Math.max(0, entries - MOST_READ) }),
    sources.usage.requests(id),
  ])
  return ratioOf(sources, { sessionId: id, entries: log, requests, facts, at })
}

const learnedOf = ({ entries, requests, facts, at }: RatioQuestion): LearnedRatio =>
  learnedRatio(entries, before(requests, at), facts)

const before = (requests: readonly StoredRequest[], at: number | undefined): readonly StoredRequest[] =>
  at === undefined ? requests : requests.filter((request) => request.at !== null && request.at <= at)

/** What the conversation came to when a request was made. */
interface Moment {
  /** When its reply began, ms. */
  readonly at: number
  readonly characters: number
  /** Tokens of images and of messages' frames, which no characters stand for. */
  readonly otherTokens: number
  /** Moments of one stretch differ by nothing but what was added. */
  readonly stretch: number
}

/**
 * A shorter growth says more of the provider's frames and of a few odd lines than of the text, tokens. On 30 recorded
 * sessions the ratio of a first half told that of the second to 6.3 % (from 1,000 tokens on to 8.1 %, the model's usual
 * ratio, which is the mean of such sessions, to 8.3 %).
 */
const LEAST_GROWTH = 4000

/**
 * Learns the ratio of the model of `facts` from its requests in the main conversation: by how much each is larger than
 * the one before. Growths under 4,000 tokens are added to the next. Nothing is learned from requests of other models,
 * or across a compaction, truncation, rewrite, edit, pin, rewind or reasoning without its text. Without observations
 * the ratio is that of `facts`.
 * @param requests of the session, in order of time
 */
export const learnedRatio = (
  entries: readonly LogEntry[],
  requests: readonly StoredRequest[],
  facts: Pick<ModelFacts, 'id' | 'charsPerToken'>,
): LearnedRatio => {
  const calibration = createCalibration(undefined, () => facts.charsPerToken)
  const moments = momentsOf(entries)
  const counted = countedInputs(moments, requests, facts.id)
  let from: { readonly moment: Moment; readonly tokens: number } | undefined
  let observations = 0
  moments.forEach((moment, index) => {
    const tokens = counted[index]
    if (tokens === undefined) return
    const isOn = from !== undefined && from.moment.stretch === moment.stretch && tokens > from.tokens
    if (from !== undefined && isOn) {
      const growth = tokens - from.tokens
      if (growth < LEAST_GROWTH) return
      const isLearned = calibration.observe({
        model: facts.id,
        characters: moment.characters - from.moment.characters,
        promptTokens: growth,
        attachmentTokens: moment.otherTokens - from.moment.otherTokens,
      })
      if (isLearned) observations += 1
    }
    from = { moment, tokens }
  })
  return observations === 0
    ? { charsPerToken: facts.charsPerToken, observations }
    : { charsPerToken: calibration.ratio(facts.id), observations }
}

/**
 * The moments at which the main conversation's requests were made, in order; only of replies that have a time, and one
 * for a reply that was recorded as several entries. A moment has what the conversation held then: characters, other
 * tokens, and how often the view had changed.
 */
const momentsOf = (entries: readonly LogEntry[]): readonly Moment[] => {
  const moments: Moment[] = []
  let characters = 0
  let otherTokens = 0
  let stretch = 0
  let reply: string | undefined
  let lastRole: MessageEntry['role'] | undefined
  for (const entry of entries) {
    if (entry.kind !== 'message') {
      if (CHANGES_VIEW.has(entry.kind)) stretch += 1
      continue
    }
    if (entry.subagent !== undefined) continue
    const { role, at, responseId, content } = entry
    if (role === 'assistant' && entry.origin === undefined) {
      const isNew = responseId === undefined ? lastRole !== 'assistant' : responseId !== reply
      if (isNew && at !== null) moments.push({ at, characters, otherTokens, stretch })
      reply = responseId
    }
    lastRole = role
    // Reasoning without its text takes tokens that nothing is known of.
    if (content.some(isHidden)) stretch += 1
    characters += content.reduce((sum, block) => sum + contentCharacters(block), 0)
    otherTokens += attachmentTokens([entry]) + MESSAGE_OVERHEAD_TOKENS
  }
  return moments
}

const CHANGES_VIEW: ReadonlySet<LogEntry['kind']> = new Set([
  'compaction',
  'truncation',
  'rewrite',
  'edit',
  'pin',
  'rewind',
])

const isHidden = (block: ContentBlock): boolean => block.type === 'thinking' && block.text === ''

/**
 * By moment: the input tokens that the provider counted, where exactly one request of the main conversation was made
 * then, and to this model; undefined elsewhere.
 * @param moments in order of time
 */
const countedInputs = (
  moments: readonly Moment[],
  requests: readonly StoredRequest[],
  model: string,
): readonly (number | undefined)[] => {
  const own = requests.filter(({ subagent, at }) => subagent === null && at !== null)
  let next = 0
  return moments.map(({ at }, index) => {
    const until = moments[index + 1]?.at ?? Number.POSITIVE_INFINITY
    const made: StoredRequest[] = []
    for (; next < own.length; next++) {
      const request = own[next]
      if (request === undefined || (request.at ?? 0) >= until) break
      if ((request.at ?? 0) >= at) made.push(request)
    }
    const [request, another] = made
    return request === undefined || another !== undefined || request.model !== model ? undefined : allInput(request)
  })
}
