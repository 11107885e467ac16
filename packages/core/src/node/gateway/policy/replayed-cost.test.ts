import { afterEach, describe, expect, it } from '@jest/globals'
import { policyOf, type PolicyName } from '../../../context/policies/registry.ts'
import type { LogEntry, NewLogEntry } from '../../../session-log.ts'
import { needsOf } from '../../../replay/needs.ts'
import { replayPolicy, replyReserve, type PolicyReplay } from '../../../replay/run.ts'
import { trajectoryOf, type Trajectory } from '../../../replay/trajectory.ts'
import { startModelServer } from '../../../testing/model-server/index.ts'
import { startTestGateway, type TestGateway } from '../gateway.fixture.ts'
import { codeOf } from './agent.fixture.ts'
import { measuredInput } from './measured-bill.fixture.ts'
import { runRecordedAgent } from './recorded-agent.fixture.ts'

const MODEL = 'claude-sonnet-5'
const CHARACTERS_PER_TOKEN = 2.3
const PREFIX = 6_000
const WINDOW = 1_000_000
/** Of the server's list: what the gateway's price list says, too. */
const PRICES = { input: 2, output: 10, write: 2.5, read: 0.2 }
const STARTED_AT = 1_790_000_000_000

const gateways: TestGateway[] = []
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close()
})

/** A session with pauses: commands, files that are read again, and reasoning. */
const session = (): Trajectory => {
  const entries: LogEntry[] = []
  let at = STARTED_AT
  const add = (entry: NewLogEntry): void => void entries.push({ ...entry, seq: entries.length })
  add({
    kind: 'message',
    id: 'task',
    at,
    role: 'user',
    content: [{ type: 'text', text: 'Find out how prices are rounded.' }],
  })
  for (let step = 0; step < 36; step += 1) {
    at += step % 13 === 12 ? 1_200_000 : 20_000
    const isRun = step % 3 !== 0
    const id = `call_${step}`
    const input = isRun ? { command: `npm test -- ${step}` } : { file_path: `src/module${step % 4}.ts` }
    add({
      kind: 'message',
      id: `reply_${step}`,
      at,
      role: 'assistant',
      model: MODEL,
      responseId: `response_${step}`,
      content: [
        ...(step % 5 === 0
          ? [{ type: 'thinking', text: `Step ${step} looks easy.`, signature: 'signed' } as const]
          : []),
        { type: 'tool_call', id, name: isRun ? 'Bash' : 'Read', input },
      ],
    })
    const text = codeOf(`part${step}`, 30 + 25 * (step % 4))
    add({
      kind: 'message',
      id: `result_${step}`,
      at,
      role: 'tool',
      content: [{ type: 'tool_result', callId: id, content: [{ type: 'text', text }] }],
    })
  }
  add({
    kind: 'message',
    id: 'end',
    at: at + 9_000,
    role: 'assistant',
    model: MODEL,
    content: [{ type: 'text', text: 'Half up.' }],
  })
  return trajectoryOf({ session: 's', entries, charactersPerToken: CHARACTERS_PER_TOKEN })
}

const inputCost = ({ costByClass: { read, fresh, rewritten, cold } }: PolicyReplay): number =>
  read + fresh + rewritten + cold

const replayed = (trajectory: Trajectory, policy: PolicyName): PolicyReplay =>
  replayPolicy(policyOf(policy), trajectory, needsOf(trajectory), {
    window: WINDOW,
    prefix: PREFIX,
    cacheLifetime: 300,
    prices: PRICES,
    charactersPerToken: CHARACTERS_PER_TOKEN,
    reply: replyReserve({ window: WINDOW, prefix: PREFIX }),
  })

/** What the server bills for the input of the whole session. */
const billed = async (trajectory: Trajectory, policy: PolicyName): Promise<number> => {
  let now = STARTED_AT
  const server = await startModelServer({ clock: () => now })
  const gateway = await startTestGateway({
    upstream: server.url,
    now: () => now,
    ...(policy === 'none' ? {} : { policy }),
  })
  gateways.push(gateway)
  await runRecordedAgent({
    trajectory,
    server,
    url: gateway.url,
    model: MODEL,
    system: 'x'.repeat(PREFIX * CHARACTERS_PER_TOKEN),
    maxTokens: 8_000,
    setNow: (at) => (now = at),
    untilOver: (count) => gateway.untilRecorded(count),
  })
  expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
  await server.close()
  return measuredInput(server, { prefix: PREFIX, charactersPerToken: CHARACTERS_PER_TOKEN, prices: PRICES })
}

describe('a recorded session through the gateway', () => {
  it('costs with the policy what its replay says, to 2 %', async () => {
    const trajectory = session()
    const policy = replayed(trajectory, 'cache-aware')
    expect(policy.rewrites).toBeGreaterThan(1)
    expect(inputCost(policy)).toBeLessThan(0.9 * inputCost(replayed(trajectory, 'none')))
    const ratio = (await billed(trajectory, 'cache-aware')) / inputCost(policy)
    expect(Math.abs(ratio - 1)).toBeLessThan(0.02)
  })
})
