import type { SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, pointingInto, scopeRequired } from '#platform/errors'
import type { BulkAction, Services } from '#platform/module'
import { readFilter } from '../leads/find-leads.service.ts'
import { idsMatching } from './bulk.queries.ts'
import type { BulkOrder, Params } from './bulk.schemas.ts'

const mostMatched = 100_000

type Asking = Pick<Services, 'clock' | 'registry'>

/** The action of that name, if a module brings it. */
export function actionNamed({ registry }: Pick<Services, 'registry'>, name: string): BulkAction | undefined {
  return registry.bulkActions.find((action) => action.resource === 'leads' && action.name === name)
}

/** The action that is asked for, if the caller may have it and its params make sense. */
export async function requireAction(tx: TenantTx, { scopes }: SignedIn, order: BulkOrder, services: Asking) {
  const { action: name, params = {} } = order
  const action = actionNamed(services, name)
  if (!action) throw invalid('body', '/action', 'unavailable', `${name} is not available here yet.`)
  if (action.scope && !scopes.has(action.scope)) throw scopeRequired(action.scope)
  const stray = Object.keys(params).find((field) => !action.takes.includes(field))
  if (stray) throw invalid('body', `/params/${stray}`, 'unexpected', `${name} does not take ${stray}.`)
  await pointingInto('/params', async () => action.assertParams?.(tx, params as never))
  return { action, params: params as Params }
}

/** The leads that are meant, each once, in the order they were named in. */
export async function selectLeads(
  tx: TenantTx,
  actor: SignedIn,
  { lead_ids, filter, expected_count }: BulkOrder,
  services: Asking,
): Promise<string[]> {
  if ((lead_ids === undefined) === (filter === undefined))
    throw invalid('body', '/lead_ids', 'choice', 'Give either lead_ids or filter.')
  if (lead_ids) {
    if (expected_count !== undefined)
      throw invalid('body', '/expected_count', 'unexpected', 'Only a filter needs expected_count.')
    return [...new Set(lead_ids)]
  }
  if (expected_count === undefined)
    throw invalid('body', '/expected_count', 'required', 'Say how many leads you expect the filter to match.')

  const { rule, ...asked } = filter!
  const written = rule && JSON.stringify(rule)
  const meant = await pointingInto(inFilter, () => readFilter(tx, actor, { ...asked, filter: written }, services))
  const ids = await idsMatching(tx, meant, mostMatched + 1)
  if (ids.length > mostMatched)
    throw invalid('body', '/filter', 'too_many', 'The filter matches more than 100,000 leads. Narrow it down.')
  if (ids.length !== expected_count)
    throw conflict('selection_changed', `The filter matches ${ids.length} leads by now, not ${expected_count}.`, {
      actual: ids.length,
    })
  return ids
}

/** What the list calls its filter is the rule of this one. */
const inFilter = (path: string): string => `/filter${path.replace(/^\/filter/, '/rule')}`
