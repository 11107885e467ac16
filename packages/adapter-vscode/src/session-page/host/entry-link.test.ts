import { entryLink, linkedEntry } from './entry-link.ts'

describe('a link to an entry', () => {
  it('leads to the session and the entry', () => {
    const link = new URL(entryLink('vscode', 'pi:a b&c?#1', 12))
    expect([link.protocol, link.host]).toEqual(['vscode:', 'cairn.cairn-vscode'])
    expect(linkedEntry({ path: link.pathname, query: link.search.slice(1) })).toEqual(['pi:a b&c?#1', 12])
    expect(linkedEntry({ path: '/session', query: 'id=pi%3A1' })).toEqual(['pi:1'])
    expect(linkedEntry({ path: '/session', query: 'id=pi%3A1&entry=-2' })).toEqual(['pi:1'])
  })

  it('is nothing else', () => {
    expect(linkedEntry({ path: '/run', query: 'id=pi%3A1' })).toBeUndefined()
    expect(linkedEntry({ path: '/session', query: 'entry=3' })).toBeUndefined()
    expect(linkedEntry({ path: '/session', query: 'id=' })).toBeUndefined()
  })
})
