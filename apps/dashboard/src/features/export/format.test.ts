import { exportText } from './format.ts'
import type { ExportRow, Format } from './format.ts'

const textOf = async (format: Format, ...batches: readonly (readonly ExportRow[])[]): Promise<string> => {
  const rows = (async function* () {
    await Promise.resolve()
    yield* batches
  })()
  let text = ''
  for await (const part of exportText(format, ['name', 'count'], rows)) text += part
  return text
}

describe('an export', () => {
  it('as CSV quotes what must be quoted', async () => {
    expect(await textOf('csv', [{ name: 'a,"b"\nc', count: 1 }], [{ name: 'd', count: null }])).toBe(
      'name,count\r\n"a,""b""\nc",1\r\nd,\r\n',
    )
  })

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\nx',
    ' =1',
    '  @x',
    '\u00a0+1',
    '\u200b=1',
    '\ufeff-1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    ' ＝1',
  ])('as CSV makes no formula of %j', async (name) => {
    const [, row] = (await textOf('csv', [{ name, count: -1 }])).split('\r\n')
    expect(row?.replace(/^"/, '').startsWith("'")).toBe(true)
    // A number is none.
    expect(await textOf('csv', [{ name, count: -1 }])).toMatch(/,-1\r\n$/)
  })

  it.each(['a=1', 'x', '', ' x', '1-1', '“=1”'])('as CSV leaves %j as it is', async (name) => {
    expect(await textOf('csv', [{ name, count: 1 }])).toBe(`name,count\r\n${name},1\r\n`)
  })

  it('as JSON is one document, however its rows come', async () => {
    expect(JSON.parse(await textOf('json', [{ name: '=1', count: 1 }], [], [{ name: 'b', count: null }]))).toEqual([
      { name: '=1', count: 1 },
      { name: 'b', count: null },
    ])
    expect(JSON.parse(await textOf('json'))).toEqual([])
  })
})
