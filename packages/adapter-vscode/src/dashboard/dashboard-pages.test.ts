import { entryAddress, noteAddress } from '../memory/memory-address.ts'
import { sessionAddress } from '../session-text/session-address.ts'
import { pageAddress, pageOf } from './dashboard-pages.ts'

describe('the dashboard’s page of what the editor shows', () => {
  it('is that of a node of a tree', () => {
    const entry = { id: 'e1', workspace: '/code/shop', kind: 'failure', text: 'x' } as const
    expect(pageOf({ kind: 'session', session: { id: 'codex:a/b' } })).toBe('/sessions/codex%3Aa%2Fb')
    expect(pageOf({ kind: 'checkpoint', session: { id: 'pi:1' } })).toBe('/sessions/pi%3A1?view=checkpoints')
    expect(pageOf({ kind: 'checkpoint', session: undefined })).toBe('/checkpoints')
    expect(pageOf({ kind: 'entry', entry })).toBe('/memory?project=%2Fcode%2Fshop&entry=e1')
    expect(pageOf({ kind: 'note', note: { workspace: '/code', key: 'a&b' } })).toBe(
      '/memory?view=notes&project=%2Fcode&note=a%26b',
    )
    for (const other of [
      undefined,
      null,
      'x',
      {},
      { kind: 'group' },
      { kind: 'session' },
      { kind: 'file', session: { id: 'pi:1' } },
    ])
      expect(pageOf(other)).toBeUndefined()
  })

  it('is that of a document', () => {
    const entry = { id: 'e1', workspace: '/code/shop', kind: 'failure', text: 'x' } as const
    expect(pageOf(sessionAddress({ id: 'pi:1', title: 'x', externalId: '1' }))).toBe('/sessions/pi%3A1')
    expect(pageOf(entryAddress(entry))).toBe('/memory?project=%2Fcode%2Fshop&entry=e1')
    expect(pageOf(noteAddress({ workspace: '/code', key: 'k' }))).toBe('/memory?view=notes&project=%2Fcode&note=k')
    expect(pageOf({ scheme: 'file', query: 'x' })).toBeUndefined()
  })

  it('keeps the token, and never leaves the dashboard', () => {
    expect(pageAddress('http://127.0.0.1:4000/?token=abc', '/sessions/pi%3A1?view=checkpoints')).toBe(
      'http://127.0.0.1:4000/sessions/pi%3A1?view=checkpoints&token=abc',
    )
    expect(pageAddress('http://127.0.0.1:4000/?token=abc', '/')).toBe('http://127.0.0.1:4000/?token=abc')
  })
})
