import { bytesText } from './bytes-text.ts'

describe('a size', () => {
  it('is written as the command writes it', () => {
    expect([0, 512, 1_400, 99_940, 234_567_890, 52_400_000].map(bytesText)).toEqual([
      '0 B',
      '512 B',
      '1.4 kB',
      '99.9 kB',
      '235 MB',
      '52.4 MB',
    ])
  })

  it('that is rounded up to the next unit has that unit', () => {
    expect([999, 999_499, 999_960, 999_999_999].map(bytesText)).toEqual(['999 B', '999 kB', '1.0 MB', '1.0 GB'])
  })
})
