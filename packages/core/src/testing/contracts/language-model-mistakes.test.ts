import { runLanguageModelContract } from './language-model.ts'
import { createReferenceModel, REFERENCE_CAPABILITIES, type Mistake } from './language-model/reference.fixture.ts'
import type { TestApi } from './test-api.ts'

/** Each mistake, and the test that has to find it (others may as well). */
const FOUND_BY: Readonly<Record<Mistake, string>> = {
  'takes an early end for one': 'tells that the body ended in-text',
  'ends twice': 'streams a text in pieces',
  'takes cancelling for an end': 'can be cancelled while nothing comes, in-text',
  'has no watchdog': 'gives up a body that stalls in-text',
  'keeps the connection': 'frees the connection of whoever stops reading',
  'gives calls that were cut': 'gives no call whose input was cut',
  'throws what it caught': 'tells that the connection broke in-text',
  'replaces the usage': 'reads from the cache up to its breakpoints',
  'loses the usage of failures': 'tells that the connection broke in-text',
  'tries twice': 'tells an error answer: overloaded',
  'ignores errors in the stream': 'tells each error inside of the stream',
  'stops at unknown events': 'passes over events that nobody knows',
  'decodes each piece by itself': 'reads a body that comes in any pieces',
  'sends the time': 'makes the same bytes',
  'drops signatures': 'sends thinking back as it came',
  'sends every breakpoint': 'keeps the last ones of more breakpoints',
  'reverses calls': 'gives parallel calls in order',
  'shows the key': 'does not let the key be seen',
  'forgets when to ask again': 'tells when the provider wants to be asked again',
}

/** The tests of the contract by name, not run. */
const testsWith = (mistake: Mistake | undefined): Map<string, () => Promise<void>> => {
  const tests = new Map<string, () => Promise<void>>()
  const api: TestApi = {
    describe: (_name, body) => body(),
    it: (name, body) => tests.set(name, body),
    expect,
  }
  runLanguageModelContract(api, {
    name: 'the reference',
    wire: 'anthropic',
    create: (url, key, times) => createReferenceModel({ url, key, mistake, ...times }),
    capabilities: REFERENCE_CAPABILITIES,
    patienceMs: 3000,
  })
  return tests
}

describe('the contract of language models', () => {
  it.each(Object.entries(FOUND_BY) as [Mistake, string][])('finds one that %s', async (mistake, test) => {
    const [name] = [...testsWith(mistake).keys()].filter((candidate) => candidate.startsWith(test))
    const run = testsWith(mistake).get(name ?? '')
    const isFound = await run?.().then(
      () => false,
      () => true,
    )
    expect([name?.startsWith(test), isFound]).toEqual([true, true])
  })
})
