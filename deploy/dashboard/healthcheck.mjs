// Exit code 0 while the dashboard says that it can read the store.
const answer = await fetch('http://127.0.0.1:4100/readyz').catch(() => undefined)
process.exit(answer?.ok === true ? 0 : 1)
