/**
 * Characters per token as a session's own requests show them: by how much the provider's count grew from one request to
 * the next, and by how many characters the conversation did. What both requests were sent with beside the messages
 * (system prompt, tools) is the same and cancels out.
 */
import type { ContentBlock } from '../messages.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type { StoredRequest, UsageStorage } from '../ports/usage-storage.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { createCalibration } from '../tokens/calibration.ts'
import { contentCharacters } from '../tokens/content-characters.ts'
import { MESSAGE_OVERHEAD_TOKENS, attachmentTokens } from '../tokens/estimate.ts'
import { allInput } from './session-model.ts'

export interface LearnedRatio {
  readonly charsPerToken: number
  /** Growths of a conversation that it was learned from; 0: it is the model's usual one. */
  readonly observations: number
}

/** What estimates of a session are made with. */
export interface EstimateRatio extends LearnedRatio {
  /** `session`: its own requests. `other-session`: the newest other one with the model. `model`: nothing was learned. */
  readonly from: 'session' | 'other-session' | 'model'
}

/** Of another session the end is enough, entries. */
const MOST_READ = 2000

/**
 * The ratio of a session: learned from its own requests, else from the newest other session with the model, of which the
 * newest entries are read; else the model's usual one. Reads nothing where the session itself tells.
 */
export const ratioOfSession = async (
  {
    sessions,
    usage,
  }: { readonly sessions: Pick<SessionStorage, 'list' | 'read'>; readonly usage: Pick<UsageStorage, 'requests'> },
  {
    sessionId,
    entries,
    requests,
    facts,
    at,
  }: {
    readonly sessionId: string
    readonly entries: readonly LogEntry[]
    readonly requests: readonly StoredRequest[]
    readonly facts: Pick<ModelFacts, 'id' | 'charsPerToken'>
    /** Later requests and sessions teach nothing, ms. */
    readonly at?: number | undefined
  },
): Promise<EstimateRatio> => {
  const own = learnedRatio(entries, before(requests, at), facts)
  if (own.observations > 0) return { ...own, from: 'session' }
  if (facts.id === '') return { ...own, from: 'model' }
  const page = await sessions.list({ model: facts.id, limit: 2, ...(at === undefined ? {} : { until: at }) })
  const other = page.sessions.find(({ id }) => id !== sessionId)
  if (other === undefined) return { ...own, from: 'model' }
  const [log, made] = await Promise.all([
    sessions.read(other.id, { fromSeq: Math.max(0, other.entries - MOST_READ) }),
    usage.requests(other.id),
  ])
  const learned = learnedRatio(log, before(made, at), facts)
  return { ...learned, from: learned.observations > 0 ? 'other-session' : 'model' }
}

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
 * Learns the ratio of the model of `facts` from its requests in the main conversation. Requests of other models, and what
 * lies on both sides of a compaction or a trim, teach nothing.
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

/** The moments at which the main conversation's requests were made, in order; only of replies that have a time. */
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

/** By moment: the input that the provider counted, where exactly one request of the model was made then. */
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
