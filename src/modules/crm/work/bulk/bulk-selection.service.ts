import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, scopeRequired, withErrorPathPrefix } from '#platform/errors'
import type { Services } from '#platform/module'
import { type BulkKind, type BulkRequest, findBulkAction } from './bulk-kind.ts'

const maxMatches = 100_000

type SelectionServices = Pick<Services, 'clock' | 'registry'>

export async function resolveBulkAction(
  tx: TenantTx,
  kind: BulkKind,
  actor: UserActor,
  request: BulkRequest,
  services: SelectionServices & Pick<Services, 'secrets'>,
) {
  const { action: name, params = {} } = request
  const { idsField } = kind
  const action = findBulkAction(kind, services, name)
  if (!action) throw invalid('body', '/action', 'unavailable', `The action ${name} is not available.`)
  const missing = action.scopes?.find((scope) => !actor.scopes.has(scope))
  if (missing) throw scopeRequired(missing)
  if (action.isForDeleted && !request[idsField])
    throw invalid('body', `/${idsField}`, 'required', `\`${idsField}\` is required for the action ${name}.`)
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
  return { action, params }
}

export async function selectIds(
  tx: TenantTx,
  kind: BulkKind,
  actor: UserActor,
  request: BulkRequest,
  services: SelectionServices,
): Promise<string[]> {
  const { idsField, filters, type } = kind
  const { [idsField]: givenIds, filter, query, expected_count } = request
  const namesOf = (word: string) => filters.map((name) => `\`${name}\``).join(` ${word} `)
  if ((givenIds === undefined) === (filter === undefined && query === undefined))
    throw invalid('body', `/${idsField}`, 'choice', `Either \`${idsField}\` or ${namesOf('and')} are required.`)
  if (givenIds) {
    if (expected_count !== undefined)
      throw invalid(
        'body',
        '/expected_count',
        'unexpected',
        `\`expected_count\` is only allowed with ${namesOf('or')}.`,
      )
    return [...new Set(givenIds)]
  }
  if (expected_count === undefined)
    throw invalid('body', '/expected_count', 'required', `\`expected_count\` is required with ${namesOf('and')}.`)

  const ids = await withErrorPathPrefix(toBodyPath, () =>
    kind.listMatchingIds(tx, actor, { filter, query }, maxMatches + 1, services),
  )
  if (ids.length > maxMatches)
    throw invalid(
      'body',
      `/${filters[0]}`,
      'too_many',
      `A bulk action is limited to 100,000 ${type}s. Use narrower filters.`,
    )
  if (ids.length !== expected_count)
    throw conflict('selection_changed', `The filters match ${ids.length} ${type}s, not ${expected_count}.`, {
      actual: ids.length,
    })
  return ids
}

/** Maps error paths of the list query to the body. */
const toBodyPath = (path: string): string => (/^\/filter(\/|$)/.test(path) ? path : `/query${path}`)
