/** A team's store over several databases. */
export { combineStores } from './combine-stores.ts'
export { createShardTarget, type Shard } from './shard-target.ts'
