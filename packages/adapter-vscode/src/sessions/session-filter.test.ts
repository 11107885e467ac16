import { parseFilter } from './session-filter.ts'

describe('the filter of sessions', () => {
  it('takes words for the title, and names after their marks', () => {
    expect(parseFilter('fix login')).toEqual({ text: 'fix login' })
    expect(parseFilter('agent:codex fix  project:"my shop" login')).toEqual({
      agent: 'codex',
      workspace: 'my shop',
      text: 'fix login',
    })
    expect(parseFilter('Project:shop')).toEqual({ workspace: 'shop' })
  })

  it('is none for what narrows nothing', () => {
    expect([parseFilter(''), parseFilter('  '), parseFilter('agent:""')]).toEqual([undefined, undefined, undefined])
  })
})
