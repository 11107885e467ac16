/** A process that brings a store on PostgreSQL up to a later version, to be killed. Argument: address. */
import { PostgresDatabase } from '../postgres/postgres-database.ts'
import { laterMigrations } from './later-migrations.ts'

const [address = ''] = process.argv.slice(2)
await (await PostgresDatabase.open(address, laterMigrations)).close()
