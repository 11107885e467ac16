/** The store of all commands, for hooks whose store is a server. An entry of its own, loaded by them alone. */
export { openStore } from '@cairn/storage-prisma'
