import { changeOf, checkpointAddress, checkpointFileOf } from './checkpoint-address.ts'

describe('the address of a file in a checkpoint', () => {
  it('names folder, checkpoint and file, whatever characters they have', () => {
    for (const path of ['a.ts', 'src/with space & = # ? %20.ts', 'ü/日本.ts'])
      for (const root of ['/code/shop', 'C:\\code\\a&id=x', '/with space/ü?#'])
        expect(checkpointFileOf(checkpointAddress({ root, id: 'one' }, path))).toEqual({
          root,
          checkpointId: 'one',
          path,
        })
  })

  it('ends in the path, so that a tab shows the name and the language is found', () => {
    expect(checkpointAddress({ root: '/code', id: 'one' }, 'src/a.ts')).toEqual({
      scheme: 'cairn-checkpoint',
      path: '/src/a.ts',
      query: 'root=%2Fcode&id=one',
    })
  })

  it('says in the tree how a file differs, and nothing else', () => {
    const { query } = checkpointAddress({ root: '/code', id: 'one' }, 'a.ts', 'removed')
    expect(changeOf(query)).toBe('removed')
    expect(checkpointFileOf({ path: '/a.ts', query })?.checkpointId).toBe('one')
    expect(changeOf(checkpointAddress({ root: '/code', id: 'one' }, 'a.ts').query)).toBeUndefined()
    expect(changeOf('change=other')).toBeUndefined()
    expect(checkpointFileOf({ path: '/a.ts', query: 'id=one' })).toBeUndefined()
  })
})
