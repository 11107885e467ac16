import { describe, expect, it } from '@jest/globals'
import { contextOver, emptyEngine, heardTerminal } from '../chat/scripted-agent.fixture.ts'
import { createTelemetryReport } from './telemetry-report.ts'

describe('the report of telemetry', () => {
  it('says who was turned away once a minute for each address', async () => {
    const engine = emptyEngine()
    const { terminal, text } = heardTerminal(200)
    let now = 5_000
    const report = createTelemetryReport({ ...contextOver(engine, terminal, '/nowhere'), now: () => now }, false)
    const turnedAway = (address: string): void => report.turnedAway(address, 'That is not the token.')
    for (const address of ['10.0.0.7', '10.0.0.7', '::1', '10.0.0.7']) turnedAway(address)
    now += 59_999
    turnedAway('10.0.0.7')
    now += 1
    turnedAway('10.0.0.7')
    expect(text().trim().split('\n')).toEqual(
      ['10.0.0.7', '::1', '10.0.0.7'].map((address) => `Telemetry from ${address} was refused: That is not the token.`),
    )
    await engine.close()
  })
})
