import { ORDERS, sortedRows } from './sorting.ts'

describe('sorted rows', () => {
  it('reverse their order, with unknown values last both times', () => {
    const rows = [3, null, 1, 2]
    expect(sortedRows(rows, 'ascending', (row) => row)).toEqual([1, 2, 3, null])
    expect(sortedRows(rows, 'descending', (row) => row)).toEqual([3, 2, 1, null])
    expect(rows).toEqual([3, null, 1, 2])
  })

  it('keep the order of equals', () => {
    for (const order of ORDERS) expect(sortedRows(['b1', 'a1', 'b2'], order, () => 0)).toEqual(['b1', 'a1', 'b2'])
  })

  it('compare names as people read them', () => {
    expect(sortedRows(['v10', 'V9', 'a'], 'ascending', (name) => name)).toEqual(['a', 'V9', 'v10'])
  })
})
