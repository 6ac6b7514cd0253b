import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, scopeRequired, withErrorPathPrefix } from '#platform/errors'
import type { Services } from '#platform/module'
import { parseLeadFilter } from '../../people/leads/list-leads.service.ts'
import { listMatchingLeadIds } from './bulk.queries.ts'
import type { BulkLeadsRequest, BulkParams } from './bulk.schemas.ts'
import { findBulkAction } from './bulk-action.ts'

const maxMatches = 100_000

type SelectionServices = Pick<Services, 'clock' | 'registry'>

export async function resolveBulkAction(
  tx: TenantTx,
  actor: UserActor,
  request: BulkLeadsRequest,
  services: SelectionServices & Pick<Services, 'secrets'>,
) {
  const { action: name, params = {} } = request
  const action = findBulkAction(services, name)
  if (!action) throw invalid('body', '/action', 'unavailable', `The action ${name} is not available.`)
  const missing = action.scopes?.find((scope) => !actor.scopes.has(scope))
  if (missing) throw scopeRequired(missing)
  if (action.isForDeleted && !request.lead_ids)
    throw invalid('body', '/lead_ids', 'required', `\`lead_ids\` is required for the action ${name}.`)
  const unexpected = Object.keys(params).find((field) => !action.takes.includes(field))
  if (unexpected)
    throw invalid(
      'body',
      `/params/${unexpected}`,
      'unexpected',
      `The action ${name} does not accept \`${unexpected}\`.`,
    )
  const by = { actor, now: services.clock.now(), services }
  await withErrorPathPrefix('/params', async () => action.assertParams?.(tx, params as never, by))
  return { action, params: params as BulkParams }
}

export async function selectLeadIds(
  tx: TenantTx,
  actor: UserActor,
  { lead_ids, filter, query, expected_count }: BulkLeadsRequest,
  services: SelectionServices,
): Promise<string[]> {
  if ((lead_ids === undefined) === (filter === undefined && query === undefined))
    throw invalid('body', '/lead_ids', 'choice', 'Either `lead_ids` or `filter` and `query` are required.')
  if (lead_ids) {
    if (expected_count !== undefined)
      throw invalid(
        'body',
        '/expected_count',
        'unexpected',
        '`expected_count` is only allowed with `filter` or `query`.',
      )
    return [...new Set(lead_ids)]
  }
  if (expected_count === undefined)
    throw invalid('body', '/expected_count', 'required', '`expected_count` is required with `filter` and `query`.')

  const rule = filter && JSON.stringify(filter)
  const leadFilter = await withErrorPathPrefix(toBodyPath, () =>
    parseLeadFilter(tx, actor, { ...query, filter: rule }, services),
  )
  const ids = await listMatchingLeadIds(tx, leadFilter, maxMatches + 1)
  if (ids.length > maxMatches)
    throw invalid('body', '/filter', 'too_many', 'A bulk action is limited to 100,000 leads. Use narrower filters.')
  if (ids.length !== expected_count)
    throw conflict('selection_changed', `The filters match ${ids.length} leads, not ${expected_count}.`, {
      actual: ids.length,
    })
  return ids
}

/** Maps error paths of the list query to the body. */
const toBodyPath = (path: string): string => (/^\/filter(\/|$)/.test(path) ? path : `/query${path}`)
