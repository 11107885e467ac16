/** Random replies with random faults: whatever comes, there is one typed end, and nothing is left behind. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ModelErrorCode } from '../../../ports/language-model.ts'
import type { Condition, Fault, Moment, Reply, ReplyBlock, Step } from '../../model-server/index.ts'
import { randomText, type RandomText } from '../../random-text.ts'
import { MOMENTS } from './failures.ts'
import { countsOf, type Outcome } from './outcome.ts'
import { TOOLS } from './requests.ts'
import { shapeOf } from './replies.ts'
import type { Capability, LanguageModelSubject, Suite } from './subject.ts'

const SCRIPTS = 200
const LETTERS = 'abc äé✓"\\\n{}'
const IDLE_MS = 150
/** Of the heap, while 150 requests are made. */
const MOST_GROWTH_BYTES = 12_000_000
const CONDITIONS: readonly Condition[] = ['rate-limit', 'overloaded', 'server-error', 'auth', 'quota', 'bad-request']
const CODES: ReadonlySet<string> = new Set<ModelErrorCode>([
  'auth',
  'bad-request',
  'connection-lost',
  'cut-off',
  'malformed',
  'not-an-api',
  'overloaded',
  'quota',
  'rate-limit',
  'timeout',
  'unavailable',
])

/** One of the items at random. Throws if there are none. */
const pick = <T>(random: RandomText, items: readonly T[]): T => {
  const item = items[random.below(items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

const can = (subject: LanguageModelSubject, capability: Capability): boolean =>
  subject.capabilities[capability] === true

/** A reply of a few blocks, with a text before any call and thinking before all. */
const randomReply = (random: RandomText, subject: LanguageModelSubject): Reply => {
  const blocks: ReplyBlock[] = []
  const text = (length: number): string => `${random.of(LETTERS, 1 + random.below(length))}.`
  if (can(subject, 'signed-thinking') && random.below(2) === 0) blocks.push({ type: 'thinking', text: text(200) })
  if (random.below(4) > 0) blocks.push({ type: 'text', text: text(400) })
  const calls = can(subject, 'tools') ? random.below(can(subject, 'parallel-tools') ? 4 : 2) : 0
  for (let index = 0; index < calls; index++)
    blocks.push({ type: 'tool-call', name: 'read_file', input: { path: text(60), lines: [random.below(99), index] } })
  if (blocks.every(({ type }) => type === 'thinking')) blocks.push({ type: 'text', text: text(300) })
  return { blocks, pieceLength: 1 + random.below(40) }
}

/** A fault at random, at a moment at random. */
const randomFault = (random: RandomText): Fault => {
  const at: Moment = pick(random, MOMENTS)
  const as = pick(random, CONDITIONS)
  return pick<Fault>(random, [
    { kind: 'refuse', as },
    { kind: 'html' },
    { kind: 'empty' },
    { kind: 'stall', at },
    { kind: 'stall', at: 'before-headers' },
    { kind: 'slow', at, delayMs: 1 },
    { kind: 'cut', at },
    { kind: 'cut', at: 'before-headers' },
    { kind: 'end', at },
    { kind: 'malformed', at },
    { kind: 'error-event', at, as },
    { kind: 'unknown-event', at },
    { kind: 'split', bytes: 1 + random.below(50) },
    { kind: 'comments' },
  ])
}

/** The fault changes nothing of what the reply is. */
const isHarmless = (fault: Fault): boolean => ['slow', 'unknown-event', 'split', 'comments'].includes(fault.kind)

/** The shape of a scripted reply, without thinking where the subject has none; as `shapeOf` gives of blocks. */
const shapeOfReply = (reply: Reply, subject: LanguageModelSubject): string[] =>
  reply.blocks.flatMap((block) => {
    if (block.type === 'tool-call') return [`${block.name} ${JSON.stringify(block.input)}`]
    return block.type === 'thinking' && !can(subject, 'thinking') ? [] : [`${block.type} ${block.text}`]
  })

/** The size of the heap after everything unused was collected. */
const heapBytes = (): number => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

/**
 * Defines the test of random replies and faults, by seeds: each has one typed end, its blocks until then are whole, and
 * nothing is left behind. Takes a while.
 */
export const runRandomFaults = ({ test, expect, subject }: Suite): void => {
  const isShown = (shape: string): boolean => can(subject, 'thinking') || !shape.startsWith('thinking')
  const check = (seed: number, { reply, fault }: Required<Pick<Step, 'reply' | 'fault'>>, outcome: Outcome): void => {
    const isExpected = isHarmless(fault) ? outcome.end === 'done' : CODES.has(outcome.end)
    expect([seed, fault, isExpected ? 'well' : outcome.end]).toEqual([seed, fault, 'well'])
    const shape = shapeOf(outcome.blocks).filter(isShown)
    const whole = shapeOfReply(reply, subject)
    // Blocks that came before the end are whole, and in order.
    expect([seed, shape]).toEqual([seed, outcome.end === 'done' ? whole : whole.slice(0, shape.length)])
  }

  test(`keeps to one typed end through ${SCRIPTS} random scripts, and leaves nothing behind`, async ({
    server,
    modelWith,
    request,
    ask,
  }) => {
    const model = modelWith({ firstByteMs: IDLE_MS, idleMs: IDLE_MS })
    const patient = modelWith({ firstByteMs: 60_000, idleMs: 60_000 })
    const rejections: unknown[] = []
    const onRejection = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', onRejection)
    let before = 0
    try {
      for (let seed = 0; seed < SCRIPTS; seed++) {
        if (seed === SCRIPTS / 4) before = heapBytes()
        const random = randomText(seed)
        const step = { reply: randomReply(random, subject), fault: randomFault(random) }
        server.script(step)
        const asked = step.fault.kind === 'stall' ? model : patient
        const effort = { effort: 'medium' } as const
        const outcome = await ask(asked, request({ ...effort, ...(can(subject, 'tools') && { tools: TOOLS }) }))
        check(seed, step, outcome)
        await server.untilNoSockets()
        const entry = server.ledger.at(-1)
        if (outcome.end === 'done') expect([seed, countsOf(outcome.done?.usage)]).toEqual([seed, entry?.tokens])
      }
      // Rejections that nobody handles are reported at the end of a turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      expect(rejections.map(String)).toEqual([])
      expect(MOST_GROWTH_BYTES - (heapBytes() - before)).toBeGreaterThan(0)
    } finally {
      process.off('unhandledRejection', onRejection)
    }
  })
}
