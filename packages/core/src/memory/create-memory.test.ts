import { describe, expect, it } from '@jest/globals'
import { memoryEntry, writeMemory } from '../testing/index.ts'
import { DAY_MS, SATURDAY, SHOP, openMemory, rejection } from './memory.fixture.ts'

/** In parts, so that no scanner takes this file for a leak. */
const AWS_ID = ['AK', 'IAQ3EGRS7TUVWX2YZA'].join('')
const fact = (text: string) => ({ workspace: SHOP, kind: 'discovery', text }) as const

describe('adding', () => {
  it('keeps all fields, with the provenance', async () => {
    const { memory } = openMemory()
    const { entry, outcome, redactions } = await memory.add({
      ...fact(' Ports are in src/ports. '),
      confidence: 0.9,
      examples: ['src/ports/clock.ts:1', ' ', 'src/ports/clock.ts:1'],
      sessionId: 'cairn:s',
      messageId: 'm1',
      commit: '1a2b3c4',
      source: 'agent',
    })
    expect([outcome, redactions]).toEqual(['added', 0])
    expect(entry).toEqual({
      id: 'id-000001',
      workspace: SHOP,
      kind: 'discovery',
      text: 'Ports are in src/ports.',
      confidence: 0.9,
      examples: ['src/ports/clock.ts:1'],
      sessionId: 'cairn:s',
      messageId: 'm1',
      commit: '1a2b3c4',
      source: 'agent',
      firstSeenAt: SATURDAY,
      lastConfirmedAt: SATURDAY,
      applications: 0,
      confirmations: 0,
      contradictions: 0,
    })
    expect(await memory.get('id-000001')).toEqual(entry)
    const others = await memory.add({ ...fact('Use tabs'), kind: 'pattern' })
    expect([others.entry.confidence, others.entry.source, others.entry.sessionId]).toEqual([0.7, 'user', null])
  })

  it('confirms an entry that exists already, and adds new examples', async () => {
    const { memory, clock } = openMemory()
    await memory.add({ ...fact('Config is YAML, not JSON.'), examples: ['a.ts:1'] })
    clock.advance(DAY_MS)
    const { entry, outcome } = await memory.add({ ...fact('config is yaml not JSON'), examples: ['b.ts:2', 'a.ts:1'] })
    expect(outcome).toBe('confirmed')
    expect(entry).toMatchObject({
      id: 'id-000001',
      text: 'Config is YAML, not JSON.',
      confirmations: 1,
      examples: ['a.ts:1', 'b.ts:2'],
      firstSeenAt: SATURDAY,
      lastConfirmedAt: SATURDAY + DAY_MS,
    })
    expect(entry.confidence).toBeCloseTo(0.84, 10)
    expect((await memory.add({ ...fact('config is yaml not JSON'), confidence: 0.99 })).entry.confidence).toBe(0.99)
    expect((await memory.list(SHOP)).length).toBe(1)
    // The same words of another kind, or in another workspace, are another entry.
    expect((await memory.add({ ...fact('config is yaml not JSON'), kind: 'pattern' })).outcome).toBe('added')
    expect((await memory.add({ ...fact('config is yaml not JSON'), workspace: '/work/other' })).outcome).toBe('added')
  })

  it('"YAML not JSON" and "JSON not YAML" are two entries, also after consolidation', async () => {
    const { memory } = openMemory()
    await memory.add(fact('Config uses YAML not JSON'))
    expect((await memory.add(fact('Config uses JSON not YAML'))).outcome).toBe('added')
    expect((await memory.consolidate(SHOP)).merged).toEqual([])
    expect((await memory.list(SHOP)).length).toBe(2)
  })

  it('two writers at once lose no entry, and no character in one entry destroys others', async () => {
    const first = openMemory()
    const second = openMemory(first.store, 'other')
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => [
        first.memory.add(fact(`Größe ${index} 😀 \u0000`)),
        second.memory.add(fact(`naïve ${index} \ud800`)),
      ]).flat(),
    )
    const texts = (await first.memory.list(SHOP)).map(({ text }) => text)
    expect(new Set(texts).size).toBe(100)
    expect(texts).toContain('Größe 49 😀 \u0000')
    expect(texts).toContain('naïve 0 \ud800')
  })

  it('merges many equal entries added at once into one', async () => {
    const { memory } = openMemory()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => memory.add(fact('the same'))))
    expect(outcomes.filter(({ outcome }) => outcome === 'added').length).toBe(1)
    expect((await memory.get('id-000001')).confirmations).toBe(19)
  })

  it('redacts secrets and resolves relative dates', async () => {
    const { memory } = openMemory()
    const { entry, redactions } = await memory.add({
      ...fact(`Since yesterday the key is ${AWS_ID}`),
      examples: [`key ${AWS_ID}`],
    })
    expect(redactions).toBe(2)
    expect(JSON.stringify(entry)).not.toContain(AWS_ID)
    expect(entry.text).toContain('Since 2026-01-30 the key is [redacted:')
    const updated = await memory.update(entry.id, { text: `tomorrow: ${AWS_ID}` })
    expect(updated.text).toMatch(/^on 2026-02-01: \[redacted:/)
  })

  it('refuses an invalid entry in one sentence, and writes nothing', async () => {
    const { memory } = openMemory()
    const refusals = [
      memory.add(fact('  \n')),
      memory.add(fact('x'.repeat(1_000_000))),
      memory.add({ ...fact('x'), kind: 'opinion' as never }),
      memory.add({ ...fact('x'), confidence: 1.5 }),
      memory.add({ ...fact('x'), confidence: Number.NaN }),
      memory.add({ ...fact('x'), examples: Array.from({ length: 51 }, (_, index) => `${index}`) }),
      memory.add({ ...fact('x'), examples: ['x'.repeat(1_001)] }),
      memory.add({ ...fact('x'), workspace: ' ' }),
      memory.add({ ...fact('x'), source: 'x'.repeat(201) }),
    ]
    for (const refusal of refusals) expect(await rejection(refusal)).toMatch(/^invalid-input: [A-Z"].{10,200}\.$/)
    expect(await rejection(memory.add(fact('x'.repeat(1_000_000))))).toBe(
      'invalid-input: The text has 1,000,000 characters; a memory entry holds at most 20,000. Keep what matters, and name the file that holds the rest.',
    )
    expect((await memory.add(fact('x'.repeat(20_000)))).outcome).toBe('added')
    expect((await memory.list(SHOP)).length).toBe(1)
  })
})

describe('finding an entry', () => {
  it('accepts the start of an id in either case, and lists the matches', async () => {
    const { memory, store } = openMemory()
    await writeMemory(
      store,
      1,
      ...['01JA', '01JAB', '01JC'].map((id) => ({ op: 'put', entry: memoryEntry(id) }) as const),
    )
    expect([
      (await memory.get('01JC')).id,
      (await memory.get('01jc')).id,
      (await memory.get('01JA')).id,
      (await memory.get(' 01JAB ')).id,
    ]).toEqual(['01JC', '01JC', '01JA', '01JAB'])
    expect(await rejection(memory.get('01J'))).toBe(
      'ambiguous: Several memory entries have "01J" in their ids: 01JA, 01JAB, 01JC; give more of the id.',
    )
    expect(await rejection(memory.get('02'))).toBe('not-found: There is no memory entry "02".')
    expect(await rejection(memory.get(' '))).toMatch(/^invalid-input: /)
    expect(await rejection(memory.confirm('x'.repeat(5_000)))).toMatch(/^not-found: .{0,100}$/)
    // Those that have ended stand back.
    await memory.forget('01JAB')
    await memory.forget('01JC')
    expect((await memory.get('01J')).id).toBe('01JA')
    expect(await rejection(memory.get('01JAB'))).toBe(
      'not-found: The memory entry 01JAB is not current any more; its history shows how it ended.',
    )
    expect((await memory.history('01JC')).length).toBe(1)
  })

  it('returns it as of a time', async () => {
    const { memory, clock } = openMemory()
    const { entry } = await memory.add(fact('one'))
    clock.advance(DAY_MS)
    await memory.update(entry.id, { text: 'two' })
    expect((await memory.get(entry.id, SATURDAY)).text).toBe('one')
    expect((await memory.list(SHOP, { asOf: SATURDAY })).map(({ text }) => text)).toEqual(['one'])
    expect(await rejection(memory.get(entry.id, SATURDAY - 1))).toBe(
      'not-found: The memory entry id-000001 was not known at 2026-01-31T09:29:59.999Z.',
    )
  })

  it('searches by words, with priority as the tie-breaker', async () => {
    const { memory, clock } = openMemory()
    await memory.add(fact('The cache is filled at start'))
    await memory.add({ ...fact('Deploy with the blue pipeline'), examples: ['ops/deploy.md:3'] })
    clock.advance(120 * DAY_MS)
    await memory.add({ ...fact('The cache is filled at noon'), confidence: 1 })
    const found = async (text: string) => (await memory.search(SHOP, text)).map(({ entry }) => entry.id)
    expect(await found('cache filled')).toEqual(['id-000003', 'id-000001'])
    expect(await found('deploying')).toEqual(['id-000002'])
    expect(await found('unheard')).toEqual([])
    expect((await memory.search(SHOP, 'cache', { limit: 1 })).length).toBe(1)
    expect((await memory.search(SHOP, 'cache', { asOf: SATURDAY })).length).toBe(1)
    expect(await memory.search(SHOP, 'cache', { kind: 'pattern' })).toEqual([])
    expect(await rejection(memory.search(SHOP, 'cache', { limit: 0 }))).toMatch(/^invalid-input: /)
  })
})

describe('later evidence', () => {
  it('confirms, also as applied', async () => {
    const { memory, clock } = openMemory()
    const { entry } = await memory.add({ ...fact('x'), confidence: 0.5 })
    clock.advance(DAY_MS)
    expect(await memory.confirm(entry.id)).toMatchObject({
      confidence: 0.6,
      confirmations: 1,
      applications: 0,
      lastConfirmedAt: SATURDAY + DAY_MS,
    })
    expect(await memory.confirm(entry.id, { applied: true })).toMatchObject({
      confidence: 0.72,
      confirmations: 2,
      applications: 1,
    })
  })

  it('contradicts until the entry ends', async () => {
    const { memory } = openMemory()
    const { entry } = await memory.add(fact('x'))
    const confidences = []
    for (let round = 0; round < 4; round += 1) confidences.push((await memory.contradict(entry.id)).confidence)
    expect(confidences).toEqual([0.4, 0.2, 0.1, 0.05])
    expect(await memory.list(SHOP)).toEqual([])
    expect((await memory.history(entry.id)).at(-1)).toMatchObject({
      ended: 'contradicted',
      entry: { contradictions: 4 },
    })
  })

  it('supersedes by the corrected text', async () => {
    const { memory } = openMemory()
    const { entry: old } = await memory.add({ ...fact('Port is 80'), kind: 'solution' })
    const next = await memory.contradict(old.id, 'Port is 81', { source: 'agent', sessionId: 's' })
    expect(next).toMatchObject({
      text: 'Port is 81',
      kind: 'solution',
      source: 'agent',
      sessionId: 's',
      confidence: 0.7,
    })
    expect(await memory.list(SHOP)).toEqual([next])
    expect((await memory.history(old.id)).at(-1)).toMatchObject({ ended: 'superseded', replacedBy: next.id })
    // What is right was known already.
    const { entry: wrong } = await memory.add({ ...fact('Port is 82'), kind: 'solution' })
    expect(await memory.contradict(wrong.id, 'port is 81.')).toMatchObject({ id: next.id, confirmations: 1 })
    expect((await memory.history(wrong.id)).at(-1)).toMatchObject({ ended: 'superseded', replacedBy: next.id })
    expect(await rejection(memory.contradict(next.id, 'PORT is 81'))).toMatch(/^invalid-input: /)
  })

  it('supersedes with the citations of the old entry', async () => {
    const { memory } = openMemory()
    const { entry: old } = await memory.add({ ...fact('Port is 80'), examples: ['src/a.ts:3', 'said in the review'] })
    expect((await memory.contradict(old.id, 'Port is 81', { commit: 'abc1234' })).examples).toEqual([
      'src/a.ts:3',
      'said in the review',
    ])
    const { entry: wrong } = await memory.add({ ...fact('Port is 82'), examples: ['src/b.ts:4'] })
    expect(await memory.contradict(wrong.id, 'Port is 81')).toMatchObject({
      commit: 'abc1234',
      examples: ['src/a.ts:3', 'said in the review', 'src/b.ts:4'],
    })
  })

  it.each(['a.ts:0', 'src/a.ts:99999999999999999999', 'a.ts:9-3', 'src/Makefile:0'])(
    'refuses the example %s: invalid line numbers',
    async (example) => {
      const { memory } = openMemory()
      expect(await rejection(memory.add({ ...fact('x'), examples: [example] }))).toMatch(
        /^invalid-input: .*names no line/,
      )
      const { entry } = await memory.add({
        ...fact('x'),
        examples: ['a.ts:1', 'at 12:0', 'see https://host/a:0', 'a.ts:3-9'],
      })
      expect(await rejection(memory.update(entry.id, { examples: [example] }))).toMatch(/names no line/)
    },
  )

  it('updates, and keeps every version', async () => {
    const { memory, clock } = openMemory()
    const { entry } = await memory.add({ ...fact('one'), examples: ['a'] })
    await memory.add(fact('other'))
    clock.advance(1)
    const changed = await memory.update(entry.id, { kind: 'pattern', confidence: 0.1, examples: ['b'], text: 'two' })
    expect(changed).toEqual({
      ...entry,
      kind: 'pattern',
      confidence: 0.1,
      examples: ['b'],
      text: 'two',
      lastConfirmedAt: SATURDAY + 1,
    })
    expect((await memory.history(entry.id)).map(({ entry: { text }, ended }) => [text, ended])).toEqual([
      ['one', 'updated'],
      ['two', null],
    ])
    expect(await rejection(memory.update(entry.id, { text: '' }))).toMatch(/^invalid-input: /)
    expect(await rejection(memory.update(entry.id, { kind: 'x' as never }))).toMatch(/^invalid-input: /)
    expect(await rejection(memory.update(entry.id, { kind: 'discovery', text: 'Other!' }))).toBe(
      'invalid-input: The memory entry id-000002 says the same already; nothing was changed. Confirm that one, and forget this one.',
    )
    expect(await rejection(memory.update('id-000002', { kind: 'pattern', text: 'two' }))).toMatch(/^invalid-input: /)
    expect((await memory.update(entry.id, { text: 'TWO' })).text).toBe('TWO')
    expect(await rejection(memory.update('id-000002', { kind: 'pattern' }))).toBe('none')
  })

  it('forgets, but keeps the history', async () => {
    const { memory, clock } = openMemory()
    const { entry } = await memory.add(fact('one'))
    clock.advance(1)
    expect((await memory.forget(entry.id)).text).toBe('one')
    for (const again of [
      memory.forget(entry.id),
      memory.confirm(entry.id),
      memory.contradict(entry.id),
      memory.update(entry.id, { confidence: 1 }),
    ])
      expect(await rejection(again)).toMatch(/^not-found: /)
    expect((await memory.get(entry.id, SATURDAY)).text).toBe('one')
    expect((await memory.history(entry.id)).at(-1)?.ended).toBe('forgotten')
    // Learnt again it is a new entry.
    expect((await memory.add(fact('one'))).outcome).toBe('added')
  })
})

describe('the end of an id', () => {
  it('finds an entry whose start others share, in either case', async () => {
    const { memory, store } = openMemory()
    await writeMemory(
      store,
      1,
      ...['01KAHAAAAAAA7Q8R9S0T', '01KAHAAAAAAAB1C2D3E4'].map((id) => ({ op: 'put', entry: memoryEntry(id) }) as const),
    )
    expect([(await memory.get('7Q8R9S0T')).id, (await memory.get('b1c2d3e4')).id]).toEqual([
      '01KAHAAAAAAA7Q8R9S0T',
      '01KAHAAAAAAAB1C2D3E4',
    ])
  })
})

describe('a commit as provenance', () => {
  it('is stored with its secrets redacted', async () => {
    const { memory } = openMemory()
    const secret = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9'].join('')
    expect(await memory.add({ workspace: SHOP, kind: 'discovery', text: 'A fact', commit: secret })).toMatchObject({
      redactions: 1,
      entry: { commit: '[redacted:github-token]' },
    })
  })
})
