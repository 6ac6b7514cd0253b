import { connect, type Db } from '#platform/db'

const db: Db = connect('postgres://nowhere')

// A statement needs a transaction in a tenant; a pool of connections has none to offer.
export const teams = () => db.selectFrom('identity.teams').select('name').execute()
