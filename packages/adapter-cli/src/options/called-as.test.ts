import { describe, expect, it } from '@jest/globals'
import { programName, storeOption } from './called-as.ts'

describe('suggested commands', () => {
  it('are called in the same way as this one', () => {
    expect(programName({ variables: {} })).toBe('cairn')
    expect(programName({ variables: { npm_lifecycle_event: 'start', npm_command: 'start' } })).toBe('npx cairn')
  })

  it('name the store if this call did', () => {
    const here = { folder: '/code/cairn', variables: {} }
    const elsewhere = { ...here, variables: { INIT_CWD: '/code/cairn/docs' } }
    expect(storeOption({}, here)).toBe('')
    expect(storeOption({ store: 'file:/code/cairn/.cairn/sample.db' }, here)).toBe(' --store file:.cairn/sample.db')
    expect(storeOption({ store: 'file:/code/cairn/.cairn/sample.db' }, elsewhere)).toBe(
      ' --store file:/code/cairn/.cairn/sample.db',
    )
    expect(storeOption({ store: 'file:../s.db' }, here)).toBe(' --store file:/code/s.db')
    expect(storeOption({ store: 'file:/other place/s.db' }, here)).toBe(" --store 'file:/other place/s.db'")
    expect(storeOption({ store: 'postgresql://me:secret@db/x' }, here)).toBe('')
  })
})
