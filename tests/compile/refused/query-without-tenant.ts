import { connect, type Db } from '#platform/db'

const db: Db = connect('postgres://nowhere')

// A statement requires a transaction of a tenant, not a connection pool.
export const teams = () => db.selectFrom('identity.teams').select('name').execute()
