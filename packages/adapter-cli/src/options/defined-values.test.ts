import { describe, expect, it } from '@jest/globals'
import { definedValues } from './defined-values.ts'

describe('the options that were given', () => {
  it('leave out what is undefined and keep every other empty value', () => {
    expect(definedValues({ a: undefined, b: null, c: '', d: 0, e: false, f: 'x' })).toStrictEqual({
      b: null,
      c: '',
      d: 0,
      e: false,
      f: 'x',
    })
    expect(definedValues({ a: undefined })).toStrictEqual({})
  })
})
