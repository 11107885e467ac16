import { parseFilter } from './session-filter.ts'

describe('the filter of sessions', () => {
  it('reads words for the title, and names after agent: and project:', () => {
    expect(parseFilter('fix login')).toEqual({ text: 'fix login' })
    expect(parseFilter('agent:codex fix  project:"my shop" login')).toEqual({
      agent: 'codex',
      workspace: 'my shop',
      text: 'fix login',
    })
    expect(parseFilter('Project:shop')).toEqual({ workspace: 'shop' })
  })

  it('is undefined for a text that leaves nothing out', () => {
    expect([parseFilter(''), parseFilter('  '), parseFilter('agent:""')]).toEqual([undefined, undefined, undefined])
  })
})
