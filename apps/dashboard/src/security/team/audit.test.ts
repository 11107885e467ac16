import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAudit } from './audit.ts'
import type { AuditEvent } from './audit.ts'

describe('the audit log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-audit-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const event: AuditEvent = {
    event: 'text',
    subject: 'u-1',
    role: 'admin',
    address: '192.0.2.1',
    what: 'session.entries',
  }
  const linesOf = (path: string): readonly string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

  it('is added to, by servers that follow each other, and read by its owner alone', () => {
    const path = join(folder, 'added.jsonl')
    for (const subject of ['u-1', 'u-2']) {
      const audit = openAudit(path, () => 0)
      audit.write({ ...event, subject })
      audit.close()
    }
    expect(linesOf(path)).toEqual([
      expect.stringContaining('"subject":"u-1"'),
      expect.stringContaining('"subject":"u-2"'),
    ])
    expect(linesOf(path)[0]).toContain('"at":"1970-01-01T00:00:00.000Z"')
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('has a line for an event, whatever is in it', () => {
    const path = join(folder, 'lines.jsonl')
    const audit = openAudit(path)
    audit.write({ ...event, input: 'a\n{"event":"forged"}\u2028' })
    audit.write({ ...event, input: 'x'.repeat(100_000) })
    audit.close()
    expect(linesOf(path)).toHaveLength(2)
    expect(linesOf(path)[1]?.length).toBeLessThan(1_000)
  })

  it('repeats the same only after a while, and another at once', () => {
    const path = join(folder, 'once.jsonl')
    let now = 0
    const audit = openAudit(path, () => now)
    for (let times = 0; times < 5; times += 1) audit.writeOnce(event)
    audit.writeOnce({ ...event, subject: 'u-2' })
    expect(linesOf(path)).toHaveLength(2)
    now = 300_000
    audit.writeOnce(event)
    audit.close()
    expect(linesOf(path)).toHaveLength(3)
  })

  it('fails where it can’t be written, so that nothing is shown', () => {
    expect(() => openAudit(join(folder, 'none', 'audit.jsonl'))).toThrow(/The audit log .* can't be written/)
    const audit = openAudit(join(folder, 'closed.jsonl'))
    audit.close()
    expect(() => audit.writeOnce(event)).toThrow()
    expect(() => audit.writeOnce(event)).toThrow()
  })
})
