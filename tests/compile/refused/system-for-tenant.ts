import { inSystem, type SystemDb, type TenantTx } from '#platform/db'

const listTeams = (tx: TenantTx) => tx.selectFrom('identity.teams').select('name').execute()

// What works across tenants is not a transaction in one of them.
export const everybodysTeams = (db: SystemDb) => inSystem(db, (tx) => listTeams(tx))
