import type { Expression } from 'kysely'
import type { UserActor } from '#platform/access'
import { planForValues, type TenantTx } from '#platform/db'
import { withErrorPathPrefix } from '#platform/errors'
import type { Services } from '#platform/module'
import { matchingAccounts } from '../../people/accounts/list-accounts.queries.ts'
import { parseAccountFilter } from '../../people/accounts/list-accounts.service.ts'
import { matchingContacts } from '../../people/contacts/list-contacts.queries.ts'
import { parseContactFilter } from '../../people/contacts/list-contacts.service.ts'
import { matchingLeads } from '../../people/leads/lead-filter.queries.ts'
import { parseLeadFilter } from '../../people/leads/list-leads.service.ts'
import type { FileObjectType } from '../record-columns/record-columns.rules.ts'

type ListServices = Pick<Services, 'clock' | 'registry'>
/** In an object, because awaiting a query builder would fail. */
type ListedIds = { ids: Expression<{ id: string }> }
type SelectIds = () => Promise<ListedIds>
type ParseQuery = (tx: TenantTx, actor: UserActor, query: object, services: ListServices) => Promise<SelectIds>

const parsers: Record<FileObjectType, ParseQuery> = {
  async lead(tx, actor, query, services) {
    const filter = await parseLeadFilter(tx, actor, query, services)
    return async () => ({ ids: (await matchingLeads(tx, filter)).leads.select('crm.leads.id') })
  },
  async contact(tx, actor, query, services) {
    const filter = await parseContactFilter(tx, actor, query, services)
    return async () => ({ ids: (await matchingContacts(tx, filter)).contacts.select('crm.contacts.id') })
  },
  async account(tx, actor, query, services) {
    const filter = await parseAccountFilter(tx, actor, query, services)
    return async () => ({ ids: (await matchingAccounts(tx, filter)).accounts.select('crm.accounts.id') })
  },
}

/** Rejects filters that the list would reject. The result builds a statement that selects the ids of the list. */
export const parseListQuery = (
  tx: TenantTx,
  actor: UserActor,
  objectType: FileObjectType,
  query: object,
  services: ListServices,
): Promise<SelectIds> => withErrorPathPrefix('/query', () => parsers[objectType](tx, actor, query, services))

/** Returns a statement for this transaction, which plans it for its values. */
export async function selectListedIds(
  tx: TenantTx,
  actor: UserActor,
  objectType: FileObjectType,
  query: object,
  services: ListServices,
): Promise<ListedIds> {
  const selectIds = await parseListQuery(tx, actor, objectType, query, services)
  await planForValues(tx)
  return await selectIds()
}
