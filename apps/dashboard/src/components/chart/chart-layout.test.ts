import { chartLayout } from './chart-layout.ts'

const SIZES = { height: 200, top: 10, bottom: 30, right: 10, belowLabels: 8 } as const
const content = (count: number, largest: number) => ({ count, largest, axisText: (value: number) => `$${value}` })

describe('the layout of a chart', () => {
  it('puts 0 at the bottom, the largest tick at the top, and steps side by side', () => {
    const layout = chartLayout(SIZES, 456, 1, content(4, 73))
    expect(layout.ticks).toEqual([0, 20, 40, 60, 80])
    expect([layout.y(0), layout.y(80), layout.bottom, layout.top]).toEqual([170, 10, 170, 10])
    expect([layout.start, layout.end, layout.stepWidth]).toEqual([46, 446, 100])
    expect([layout.middle(0), layout.middle(3)]).toEqual([96, 396])
  })

  it('keeps the hint inside, and leaves enough on the left for the longest value', () => {
    const layout = chartLayout(SIZES, 456, 1, content(4, 73))
    expect([undefined, 0, 1, 3].map(layout.hintLeft)).toEqual([0, 0, 76, 216])
    expect(chartLayout(SIZES, 456, 1, content(4, 9_000_000)).start).toBe(75)
  })

  it('grows with the letters of the page', () => {
    const [usual, large] = [1, 2].map((scale) => chartLayout(SIZES, 456, scale, content(4, 73)))
    expect([usual?.height, large?.height, usual?.labelEach, large?.labelEach]).toEqual([200, 400, 1, 2])
  })

  it('has zero width before it is laid out, and zero step width without steps', () => {
    expect(chartLayout(SIZES, 0, 1, content(4, 73)).plotWidth).toBe(0)
    expect(chartLayout(SIZES, 456, 1, content(0, 0))).toMatchObject({ stepWidth: 0, labelSteps: 0, ticks: [0] })
  })
})
