import { readSelection } from '../selection/selection.ts'
import { listAddress, listHref, sessionHref, sessionHrefWithin, withListOf } from './list-address.ts'

const parametersOf = (href: string): URLSearchParams => new URL(href, 'http://localhost').searchParams

describe('the way from the list of sessions and back', () => {
  it('keeps period, zone, filters, search, order and page', () => {
    const query =
      'period=1y&zone=Europe%2FBerlin&project=%2Fwork%2Fa+b&model=m%261&agent=roo&branch=fix%2Fx&q=a%3Db&sort=cost&order=ascending&page=3'
    const list = new URLSearchParams(query)
    const href = sessionHref('roo:a/../b?#1', list)
    expect(new URL(href, 'http://localhost').pathname).toBe('/sessions/roo%3Aa%2F..%2Fb%3F%231')
    expect(listHref(parametersOf(href))).toBe(`/sessions?${query}`)
    // What the session's page adds to its address changes nothing of it.
    const onPage = parametersOf(href)
    for (const name of ['view', 'page', 'sort', 'order', 'find', 'at']) onPage.set(name, '9')
    expect(listHref(onPage)).toBe(`/sessions?${query}`)
  })

  it('is found from a search on any page, whose period goes along', () => {
    const page = new URLSearchParams('from=2026-01-30&to=2026-02-28&zone=Asia/Tokyo&sort=name')
    const href = withListOf('/sessions/a%3Ab?at=7&find=x%26y', page)
    expect(href).toMatch(/^\/sessions\/a%3Ab\?at=7&find=x%26y&/)
    expect(parametersOf(href).get('zone')).toBe('Asia/Tokyo')
    expect(listHref(parametersOf(href))).toBe('/sessions?from=2026-01-30&to=2026-02-28&zone=Asia%2FTokyo')
    // From a session's page it is that page's own list.
    expect(withListOf('/sessions/c?at=1#part', parametersOf(href))).toBe(
      `/sessions/c?at=1&list=${encodeURIComponent('from=2026-01-30&to=2026-02-28&zone=Asia%2FTokyo')}&zone=Asia%2FTokyo#part`,
    )
    expect(withListOf('/sessions/c?at=1', new URLSearchParams())).toBe('/sessions/c?at=1')
    expect(withListOf('/memory?project=%2Fa', page)).toBe('/memory?project=%2Fa')
  })

  it('keeps days', () => {
    const list = new URLSearchParams({ from: '2026-01-01', to: '2026-02-01' })
    expect(listHref(parametersOf(sessionHref('a', list)))).toBe('/sessions?from=2026-01-01&to=2026-02-01')
  })

  it('keeps the period and filters of another page, also where it leads to an entry', () => {
    const selection = readSelection(new URLSearchParams('period=7d&zone=Asia/Tokyo&project=/work/a'))
    const href = sessionHrefWithin('a:b/c', selection, 7)
    expect(href).toMatch(/^\/sessions\/a%3Ab%2Fc\?at=7&/)
    expect(listHref(parametersOf(href))).toBe('/sessions?period=7d&zone=Asia%2FTokyo&project=%2Fwork%2Fa')
    expect(readSelection(listAddress(parametersOf(href)))).toEqual(selection)
    const bare = readSelection(new URLSearchParams())
    expect([sessionHrefWithin('a:b/c', bare, 0), sessionHrefWithin('a:b/c', bare)]).toEqual([
      '/sessions/a%3Ab%2Fc?at=0',
      '/sessions/a%3Ab%2Fc',
    ])
  })

  it('is short where there is nothing to keep', () => {
    expect(sessionHref('a', new URLSearchParams('token=secret&x=1'))).toBe('/sessions/a')
    expect(listHref(new URLSearchParams())).toBe('/sessions')
    expect(listHref(new URLSearchParams({ period: '7d', sort: 'cost' }))).toBe('/sessions?period=7d')
  })

  it('uses the zone that was chosen since, and ignores values that no list has', () => {
    const here = new URLSearchParams({ list: 'period=7d&zone=UTC&evil=1&token=2', zone: 'Asia/Tokyo' })
    expect(listHref(here)).toBe('/sessions?period=7d&zone=Asia%2FTokyo')
    expect(listAddress(here).get('evil')).toBeNull()
    const long = new URLSearchParams({ list: `q=${'x'.repeat(30_000)}` })
    expect(listHref(long)).toBe('/sessions')
  })
})
