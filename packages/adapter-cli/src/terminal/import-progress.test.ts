import { describe, expect, it } from '@jest/globals'
import { createImportProgress, progressText } from './import-progress.ts'
import { createTerminal } from './terminal.ts'

const event = {
  type: 'import-progress',
  file: 'a',
  filesDone: 1,
  files: 4,
  bytesDone: 50_000_000,
  bytes: 100_000_000,
} as const

describe('the progress bar', () => {
  it('shows the share, the rate and the time left', () => {
    expect(progressText(event, 2000)).toBe(
      '██████████░░░░░░░░░░  50 % · 50.0 MB of 100 MB · file 2 of 4 · 25.0 MB/s · 2.0 s left',
    )
  })

  it('shows no rate at first, and none of an import without bytes', () => {
    expect(progressText({ ...event, bytesDone: 0, bytes: 0 }, 10)).toBe(
      '████████████████████ 100 % · 0 B of 0 B · file 2 of 4',
    )
  })

  it('writes nothing where the output is no terminal', () => {
    const written: string[] = []
    const stream = {
      isTTY: false,
      on: () => undefined,
      write: (text: string) => written.push(text),
    } as unknown as NodeJS.WriteStream
    const terminal = createTerminal({ input: process.stdin, output: stream, error: stream, variables: {} }, true)
    const bar = createImportProgress(terminal, () => 0)
    bar.listen(event)
    bar.clear()
    expect(written).toEqual([])
  })
})
