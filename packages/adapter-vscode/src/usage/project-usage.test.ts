import { NOW, filledStore } from './recorded.fixture.ts'
import { belongsTo, projectName, readProjectUsage, spanStarts } from './project-usage.ts'

describe('the usage of a project', () => {
  it('is that of its folder and the folders in it, by period', async () => {
    const { usage } = await filledStore()
    const found = await readProjectUsage(usage, { folders: ['/code/shop'], timeZone: 'UTC', now: NOW })
    const requests = ({ project, all }: typeof found.today) => [project?.requests, all.requests]
    expect(found.name).toBe('shop')
    expect([requests(found.today), requests(found.week), requests(found.ever)]).toEqual([
      [2, 3],
      [3, 4],
      [3, 5],
    ])
    expect(found.today.project).toMatchObject({ costNano: 250_000_000n, unpricedRequests: 1 })
  })

  it('is none if no folder is open, while the sum of all is still there', async () => {
    const { usage } = await filledStore()
    const found = await readProjectUsage(usage, { folders: [], timeZone: 'UTC', now: NOW })
    expect(found.name).toBeUndefined()
    expect(found.today.project).toBeUndefined()
    expect(found.ever.all.requests).toBe(5)
  })

  it('of several folders is their sum, each request once', async () => {
    const { usage } = await filledStore()
    const found = await readProjectUsage(usage, {
      folders: ['/code/shop', '/code/shop/packages/cart', '/code/shop-2'],
      timeZone: 'UTC',
      now: NOW,
    })
    expect(found.ever.project?.requests).toBe(4)
  })
})

describe('a workspace', () => {
  it.each([
    ['/code/shop', '/code/shop', true],
    ['/code/shop/', '/code/shop', true],
    ['/code/shop/a', '/code/shop/', true],
    ['/code/shop-2', '/code/shop', false],
    ['/code', '/code/shop', false],
    ['/anything', '/', true],
    ['C:\\Code\\Shop', 'c:\\code\\shop', true],
    ['C:/Code/Shop/a', 'c:\\code\\shop', true],
    ['/Code/Shop', '/code/shop', false],
    ['unknown', '/code/shop', false],
  ])('%s belongs to %s: %s', (workspace, folder, expected) => {
    expect(belongsTo(workspace, [folder])).toBe(expected)
  })

  it('is named by its folder', () => {
    expect(projectName([])).toBeUndefined()
    expect(projectName(['/code/shop/'])).toBe('shop')
    expect(projectName(['C:\\code\\shop', '/x'])).toBe('shop and 1 more')
    expect(projectName(['/'])).toBe('/')
  })
})

describe('spans', () => {
  it('begin with the day and the Monday of the time zone', () => {
    expect(spanStarts('UTC', NOW)).toEqual({
      today: Date.parse('2026-03-05T00:00:00Z'),
      week: Date.parse('2026-03-02T00:00:00Z'),
    })
    expect(spanStarts('Pacific/Auckland', NOW)).toEqual({
      today: Date.parse('2026-03-06T00:00:00+13:00'),
      week: Date.parse('2026-03-02T00:00:00+13:00'),
    })
    // Sunday is the week's last day.
    expect(spanStarts('UTC', Date.parse('2026-03-08T23:59:59Z')).week).toBe(Date.parse('2026-03-02T00:00:00Z'))
  })
})
