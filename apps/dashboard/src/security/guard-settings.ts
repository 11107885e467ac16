/** Reads what the guard goes by from the environment that the dashboard was started in. */
import { hostname as machineName, networkInterfaces } from 'node:os'
import { isWildcard } from './guard.ts'
import type { GuardSettings } from './guard.ts'

/** Next's own port where none is given (`next dev`). */
const DEFAULT_PORT = 3000

/** What this machine is called, as far as it knows itself. */
interface MachineNames {
  readonly name: string
  /** Addresses of its interfaces. */
  readonly addresses: readonly string[]
}

/** Returns this machine's name and its current addresses, without those that hold on one link only. */
const namesOfMachine = (): MachineNames => ({
  name: machineName(),
  // Addresses of a link alone carry the link's name, which no browser can write.
  addresses: Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address).filter((address) => !address.startsWith('fe80:')),
  ),
})

/**
 * What the guard goes by, from the environment: `CAIRN_DASHBOARD_TOKEN`, `HOSTNAME` and `PORT` (bin/serve.mjs sets the
 * port that it really listens on), and `CAIRN_DASHBOARD_HOSTS`: names, separated by commas, under which it is reached
 * through something in between; `CAIRN_DASHBOARD_WRITES`: `on` where pages may change what is remembered.
 * @param names asked only where the server listens on every address: addresses come and go
 */
export const guardSettings = (
  variables: Readonly<Record<string, string | undefined>>,
  names: () => MachineNames = namesOfMachine,
): GuardSettings => {
  const token = variables['CAIRN_DASHBOARD_TOKEN']
  const port = Number(variables['PORT'])
  const hostname = variables['HOSTNAME'] ?? '127.0.0.1'
  const allowed = (variables['CAIRN_DASHBOARD_HOSTS'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return {
    token: token === undefined || token === '' ? undefined : token,
    hostname,
    otherHosts: isWildcard(hostname) ? [...ownHosts(names()), ...allowed] : allowed,
    port: Number.isInteger(port) && port > 0 ? port : DEFAULT_PORT,
    isWritable: variables['CAIRN_DASHBOARD_WRITES'] === 'on',
  }
}

/** Returns the names and addresses under which this machine can be reached. */
const ownHosts = ({ name, addresses }: MachineNames): readonly string[] =>
  [name, ...addresses].filter((host) => host !== '')
