import { DEFAULT_CHOICE, POLICIES, PRESETS, WINDOW_NAMES, readReplayAddress, writeReplayChoice } from './choice.ts'

const read = (query: string) => readReplayAddress(new URLSearchParams(query))

describe('the choice in the address', () => {
  it('is nothing until somebody asks for a policy', () => {
    expect(read('view=requests&window=64k')).toEqual({ choice: undefined, rewrite: undefined, mistakes: [] })
  })

  it('comes back as it was written', () => {
    for (const policy of POLICIES) {
      for (const preset of PRESETS) {
        for (const window of WINDOW_NAMES) {
          const written = Object.entries(writeReplayChoice({ policy, preset, window })).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value]],
          )
          // A preset is of one policy alone.
          expect(read(new URLSearchParams(written).toString()).choice).toEqual({
            policy,
            preset: policy === 'cache-aware' ? preset : 'safe',
            window,
          })
        }
      }
    }
  })

  it('is the default where the address names something unknown, and says so', () => {
    const { choice, rewrite, mistakes } = read(`policy=best&window=3&preset=LEAN&rewrite=1.5`)
    expect(choice).toEqual({ ...DEFAULT_CHOICE, preset: 'lean' })
    expect(rewrite).toBeUndefined()
    expect(mistakes).toEqual([
      'There is no policy “best”; there are cache-aware, recorded, cline, clio, none.',
      'There is no window “3”; there are model, 64k, 128k, 200k, 1m.',
    ])
    expect(read('policy=none&rewrite=12').rewrite).toBe(12)
  })
})
