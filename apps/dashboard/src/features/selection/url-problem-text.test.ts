import { exportSentence, pageSentences } from './url-problem-text.ts'
import { readSelection } from './selection.ts'

const of = (query: string): readonly string[] => pageSentences(new URLSearchParams(query))

describe('an address with unknown values', () => {
  it('is explained in a sentence, with what is shown instead', () => {
    expect(of('from=2026-02-30')).toEqual([
      'The period in the address is not one: “2026-02-30” is not a day; showing the last 30 days.',
    ])
    expect(of('from=2026-03-08&to=2026-02-01&period=7d')).toEqual([
      'The period in the address is not one: 2026-03-08 is after 2026-02-01; showing the last 7 days.',
    ])
    expect(of('period=9y')).toEqual([
      'The period in the address is not one: there is no “9y”; showing the last 30 days.',
    ])
    expect(of('from=0002-03-08')[0]).toContain('“0002-03-08” is not a day')
    expect(of('zone=Mars/Olympus')).toEqual([
      'The time zone in the address is not one: there is no “Mars/Olympus”; showing days and times of this browser’s zone.',
    ])
    expect(of('zone=%2B05:37')).toHaveLength(1)
    expect(of('period=today&from=x&zone=y')).toHaveLength(2)
  })

  it('is not reported where all values are known', () => {
    for (const query of [
      '',
      'period=all',
      'period=yesterday',
      'from=2026-02-28&to=2026-02-28',
      'from=&to=',
      'zone=Asia/Kathmandu',
      'zone=%2B05:45',
    ])
      expect([query, of(query), exportSentence(new URLSearchParams(query))]).toEqual([query, [], undefined])
  })

  it('is not exported', () => {
    expect(exportSentence(new URLSearchParams('to=2026-13-01'))).toBe(
      'The period in the address is not one: “2026-13-01” is not a day; nothing was exported.',
    )
  })

  it('is read as the default as a whole', () => {
    expect(readSelection(new URLSearchParams('from=2026-03-08&to=2026-02-01'))).toMatchObject({
      period: '30d',
      from: undefined,
      to: undefined,
    })
    expect(readSelection(new URLSearchParams('from=2026-03-08&to=x'))).toMatchObject({ from: undefined, to: undefined })
  })
})
