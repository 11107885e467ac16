import { describe, expect, it } from '@jest/globals'
import { tableLines, type Column } from './table.ts'
import { shortenEnd, shortenMiddle, shortenPath, textWidth } from './text-width.ts'

const NASTY = [
  '/a/very/long/path/to/a/project/that/nobody/would/ever/type/by/hand',
  '日本語のとても長いプロジェクト名前がここにあります',
  '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦 family emoji 🏳️‍🌈',
  'e\u0301'.repeat(60),
  'x'.repeat(500),
  '',
]

describe('textWidth', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['👍', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['e\u0301', 1],
    ['\u200b', 0],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['ｱ', 1],
    ['Ａ', 2],
  ])('of %j is %i', (text, width) => {
    expect(textWidth(text)).toBe(width)
  })
})

describe('shortening', () => {
  it('keeps both ends of a name and the last parts of a path', () => {
    expect(shortenMiddle('feature/login-page-rewrite', 15)).toBe('feature…rewrite')
    expect(shortenPath('/home/pete/code/cairn', 12)).toBe('…/code/cairn')
    expect(shortenPath('C:\\Users\\pete\\code\\cairn', 12)).toBe('…/code/cairn')
    expect(shortenEnd('日本語', 5)).toBe('日本…')
  })

  it('never exceeds the width', () => {
    for (const text of NASTY) {
      for (const shorten of [shortenEnd, shortenMiddle, shortenPath]) {
        for (let width = 1; width < 40; width++) expect(textWidth(shorten(text, width))).toBeLessThanOrEqual(width)
      }
    }
  })
})

describe('tableLines', () => {
  it.each(['end', 'middle', 'path'] as const)('fits 80 columns whatever the keys are (%s)', (shorten) => {
    const {
      head,
      rows,
      total = '',
    } = tableLines({
      columns: [
        { title: 'key', shorten },
        { title: 'n', align: 'right' },
      ],
      rows: NASTY.map((key) => [key, '123,456,789']),
      total: ['Total', '1'],
      width: 80,
    })
    expect([head, ...rows, total].filter((line) => textWidth(line) > 80)).toEqual([])
    expect(total).toMatch(/^Total .* 1$/)
  })

  it('drops whole columns before it cuts a key', () => {
    const columns = [
      { title: 'day' },
      { title: 'reqs', dropRank: 1 },
      { title: 'input', dropRank: 2 },
      { title: 'cost' },
    ]
    const table = (width: number) =>
      tableLines({
        columns,
        rows: [['2026-01-31', '12', '12.3k', '$1.00']],
        total: ['Total', '12', '12.3k', '$1.00'],
        width,
      })
    expect(table(30)).toEqual({
      head: 'day         reqs  input  cost',
      rows: ['2026-01-31  12    12.3k  $1.00'],
      total: 'Total       12    12.3k  $1.00',
      dropped: [],
    })
    expect(table(24)).toMatchObject({ rows: ['2026-01-31  12    $1.00'], dropped: ['input'] })
    expect(table(18)).toMatchObject({ rows: ['2026-01-31  $1.00'], dropped: ['input', 'reqs'] })
  })

  it("lets the total's last text run on over the empty cells beside it, where there are any", () => {
    const columns: readonly Column[] = [
      { title: 'name', shorten: 'end', minimum: 4 },
      { title: 'cost', align: 'right' },
      { title: 'title', shorten: 'end', minimum: 4 },
    ]
    const rows = [
      ['claude-code', '$1.00', 'a title of some length'],
      ['pi', '$12.00', ''],
    ]
    const table = (total: readonly string[], width = 40) => tableLines({ columns, rows, total, width })
    const long = '$13.00 + about $2.00'
    expect(table(['Total', long, ''])).toEqual({
      head: 'name           cost  title',
      rows: ['claude-code   $1.00  a title of some le…', 'pi           $12.00'],
      total: 'Total        $13.00 + about $2.00',
      dropped: [],
    })
    // It stays in its column where something stands beside it, or where it would be wider than the terminal.
    expect(table(['Total', long, 'x']).rows[1]).toBe(`pi${' '.repeat(22)}$12.00`)
    const { head, rows: narrow, total = '' } = table(['Total', long, ''], 32)
    for (const line of [head, ...narrow, total]) expect(textWidth(line)).toBeLessThanOrEqual(32)
    expect(total).toContain(long)
  })

  it('aligns numbers at the right', () => {
    const { rows } = tableLines({
      columns: [{ title: 'key' }, { title: 'n', align: 'right' }],
      rows: [
        ['a', '1'],
        ['b', '100'],
      ],
      width: 80,
    })
    expect(rows).toEqual(['a      1', 'b    100'])
  })
})
