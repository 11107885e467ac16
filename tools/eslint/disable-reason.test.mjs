import { describe, expect, it } from '@jest/globals'
import { Linter } from 'eslint'
import { disableReason } from './disable-reason.mjs'

const config = [
  { plugins: { cairn: { rules: { 'disable-reason': disableReason } } }, rules: { 'cairn/disable-reason': 'error' } },
]
const problems = (text) => new Linter().verify(text, config).filter(({ ruleId }) => ruleId === 'cairn/disable-reason')

describe('a comment that switches a rule off', () => {
  it.each([
    '// eslint-disable-next-line no-console',
    '/* eslint-disable no-console */',
    'x() // eslint-disable-line no-x --',
  ])('needs a reason: %s', (text) => {
    expect(problems(`${text}\nlet a`)).toHaveLength(1)
  })

  it.each(['// eslint-disable-next-line no-console -- prints', '/* eslint-enable no-console */', '// eslint disabled'])(
    'is accepted: %s',
    (text) => {
      expect(problems(`${text}\nlet a`)).toEqual([])
    },
  )
})
