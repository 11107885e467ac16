// Answers many calls of the built command in one process, one after another: starting it takes longer than most answers.
// Each message holds the words of a call, and is answered with what was printed and the exit code.
import { pathToFileURL } from 'node:url'

const [, , main] = process.argv
const write = { stdout: process.stdout.write, stderr: process.stderr.write }
let calls = 0
/** @type {Promise<void>} */
let last = Promise.resolve()

/** @param {readonly string[]} words */
const answer = async (words) => {
  let printed = ''
  const taking = (take) => (chunk, encoding, done) => {
    take(String(chunk))
    const called = typeof encoding === 'function' ? encoding : done
    called?.()
    return true
  }
  process.stdout.write = taking((text) => {
    printed += text
  })
  // Notes for people.
  process.stderr.write = taking(() => undefined)
  process.argv = [process.execPath, main, ...words]
  process.exitCode = 0
  calls += 1
  try {
    // What it imports is loaded once; the file itself, which runs a call, each time.
    await import(`${pathToFileURL(main).href}?call=${calls}`)
  } finally {
    for (const name of ['stdout', 'stderr']) {
      process[name].write = write[name]
      // Each call adds its own.
      for (const event of ['drain', 'error']) process[name].removeAllListeners(event)
    }
  }
  return { printed, code: Number(process.exitCode) }
}

process.on('message', ({ id, words }) => {
  last = last.then(async () => {
    process.send(
      await answer(words).then(
        (answered) => ({ id, ...answered }),
        (error) => ({ id, printed: String(error), code: 1 }),
      ),
    )
  })
})
process.on('disconnect', () => process.exit(0))
process.send({ id: 0 })
