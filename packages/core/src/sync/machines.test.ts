import { describe, expect, it } from '@jest/globals'
import { machineNames, personNames, type KnownMachine } from './machines.ts'

const machine = (id: number, known: Partial<KnownMachine> = {}): KnownMachine => ({
  id,
  key: `key-of-machine-${id}`,
  personKey: `person-${id}`,
  name: null,
  person: null,
  ...known,
})

describe('names of machines and people', () => {
  it('are those that were set, else ids; equal names of machines are told apart', () => {
    const machines = [
      machine(1, { name: 'laptop' }),
      machine(2),
      machine(3, { name: 'laptop' }),
      machine(4, { name: 'ci' }),
    ]
    expect([...machineNames(machines).values()]).toEqual([
      'laptop (key-of-m)',
      'key-of-machine-2',
      'laptop (key-of-m)',
      'ci',
    ])
  })

  it('are of one person on all machines of theirs', () => {
    const machines = [
      machine(1, { person: 'Ada', personKey: 'a' }),
      machine(2, { personKey: 'a' }),
      machine(3, { person: 'Ada', personKey: 'other' }),
      machine(4, { personKey: null }),
      machine(5),
    ]
    const expected = ['Ada', 'Ada', 'Ada', 'key-of-machine-4', 'person-5']
    expect([...personNames(machines).values()]).toEqual(expected)
    expect([...personNames(machines.toReversed()).values()]).toEqual(expected.toReversed())
  })
})
