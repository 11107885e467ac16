import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { formatCost, formatEstimate, formatUsd, nanoFromUsd, usdFromNano } from './money.ts'

describe('money', () => {
  it('round-trips through nano-USD', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }), (nano) =>
        expect(nanoFromUsd(usdFromNano(nano))).toBe(nano),
      ),
    )
    for (const nano of [0n, 1n, -1n, 999_999_999n, -999_999_999n, 1_000_000_000n, -1_000_000_001n])
      expect(nanoFromUsd(usdFromNano(nano))).toBe(nano)
  })

  it('takes amounts of any size, as a limit may be', () => {
    expect(nanoFromUsd(1e300)).toBe(BigInt(1e300) * 1_000_000_000n)
    expect(nanoFromUsd(-1e308) < -(10n ** 316n)).toBe(true)
    expect(() => nanoFromUsd(Infinity)).toThrow(RangeError)
  })

  it('rounds an amount to the nearest nano-USD', () => {
    expect([nanoFromUsd(0.026775), nanoFromUsd(1e-10), nanoFromUsd(6e-10), nanoFromUsd(12.5336)]).toEqual([
      26_775_000n,
      0n,
      1n,
      12_533_600_000n,
    ])
  })

  it('refuses an invalid amount', () => {
    expect(() => nanoFromUsd(Number.NaN)).toThrow(RangeError)
    expect(() => nanoFromUsd(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })

  it('is shown with cents, and with four digits below a dollar', () => {
    expect([0n, 4_200_000n, 1_234_567_000_000n, -2_500_000_000n].map(formatUsd)).toEqual([
      '$0.00',
      '$0.0042',
      '$1,234.57',
      '-$2.50',
    ])
  })

  it('shows an estimate beside it, where there is one', () => {
    expect(formatCost(1_516_000_000_000n, 128_000_000_000n)).toBe('$1,516.00 + ~$128.00')
    expect([formatCost(2_000_000_000n, 0n), formatCost(2_000_000_000n, 49_999n)]).toEqual(['$2.00', '$2.00'])
    expect([formatEstimate(50_000n), formatEstimate(0n)]).toEqual(['~$0.0001', undefined])
  })
})
