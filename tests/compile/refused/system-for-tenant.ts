import { inSystem, type SystemDb, type TenantTx } from '#platform/db'

const listTeams = (tx: TenantTx) => tx.selectFrom('identity.teams').select('name').execute()

// A system transaction is not a tenant transaction.
export const allTeams = (db: SystemDb) => inSystem(db, (tx) => listTeams(tx))
