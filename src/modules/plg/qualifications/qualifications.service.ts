import type { Page, TenantTx } from '#platform/db'
import { listActorsByIds } from '../actors/actors.queries.ts'
import { presentActors } from '../actors/present-actors.service.ts'
import { listQualificationRows } from './qualifications.queries.ts'
import type { Evidence, Pql, PqlQuery } from './qualifications.schemas.ts'

export async function listProductQualifiedLeads(tx: TenantTx, query: PqlQuery): Promise<Page<Pql>> {
  const { kind, rule_key, state } = query
  const page = await listQualificationRows(tx, { kind, rule_key, state }, query)
  const actors = await listActorsByIds(
    tx,
    page.items.map(({ actor_id }) => actor_id),
  )
  const presented = new Map((await presentActors(tx, actors)).map((actor) => [actor.id, actor]))
  return {
    ...page,
    items: page.items.map(({ actor_id, is_account, evidence, ...row }) => ({
      ...row,
      kind: is_account ? 'account' : 'person',
      state: row.lost_at === null ? 'qualified' : 'lost',
      actor: presented.get(actor_id) ?? null,
      evidence: evidence as Evidence,
    })),
  }
}
