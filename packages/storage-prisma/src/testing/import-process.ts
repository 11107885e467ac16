/** An import as a process of its own, to be killed or run beside another. Arguments: address, folder. Prints the report. */
import { createEngine } from '@cairn/core'
import { createFileSystem, createHasher, createSystemClock } from '@cairn/core/node'
import { openStore } from '../open-store.ts'

const [address = '', folder = ''] = process.argv.slice(2)
const engine = createEngine({ store: await openStore(address), fileSystem: createFileSystem(), hasher: createHasher(), clock: createSystemClock() })
const report = await engine.importTranscripts({ from: [folder], agent: 'claude-code', environment: { home: folder, platform: 'linux', variables: {} } })
await engine.close()
process.stdout.write(JSON.stringify(report))
