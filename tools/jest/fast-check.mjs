// What tests get as `fast-check`: the library with a limit on time. To make a failing example smaller can take for ever;
// after the limit the smallest one so far is told. A property that never failed has by then run often enough.
import fc from '../../node_modules/fast-check/lib/fast-check.js'

const LIMIT_MS = 30_000

fc.installGlobalPlugin(fc.interruptAfterTimeLimit(LIMIT_MS))

export * from '../../node_modules/fast-check/lib/fast-check.js'
export default fc
