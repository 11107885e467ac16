import { describe, expect, it } from '@jest/globals'
import { diffCounts, diffLines } from './unified-diff.ts'

const DIFF = `--- a/src/a.sql
+++ b/src/a.sql
@@ -1,3 +1,3 @@
 select 1
--- a comment that goes
+++ a line that comes
 end
@@ -9 +9,2 @@
-x
\\ No newline at end of file
+x
+y
--- a/b.ts
+++ b/b.ts
@@ -0,0 +1 @@
+new
`

describe('a unified diff', () => {
  it('tells names of files from changed lines that look like them', () => {
    const lines = diffLines(DIFF)
    expect(lines.filter(({ kind }) => kind === 'file').map(({ text }) => text)).toEqual([
      'a/src/a.sql',
      'b/src/a.sql',
      'a/b.ts',
      'b/b.ts',
    ])
    expect(lines.filter(({ kind }) => kind === 'removed').map(({ text }) => text)).toEqual([
      '-- a comment that goes',
      'x',
    ])
    expect(diffCounts(lines)).toEqual({ added: 4, removed: 2 })
  })

  it('shows a text that is no diff as it stands', () => {
    expect(diffLines('hello\nworld')).toEqual([
      { kind: 'file', text: 'hello' },
      { kind: 'file', text: 'world' },
    ])
  })
})
