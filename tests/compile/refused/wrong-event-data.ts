import { teamCreated } from '#events/identity'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'

export const emitTeamCreated = (tx: TenantTx, team: { id: string }) => emit(tx, teamCreated, team, { nmae: 'Sales' })
