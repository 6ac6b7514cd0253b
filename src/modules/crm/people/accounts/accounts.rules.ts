import { conflict, invalid } from '#platform/errors'

const maxLevels = 5

/** `ancestorIds` are the new parent and its ancestors; `levels` is the height of the subtree below and including the account. */
export function assertAccountHierarchy(accountId: string | null, ancestorIds: readonly string[], levels: number): void {
  if (accountId !== null && ancestorIds.includes(accountId))
    throw invalid(
      'body',
      '/parent_account_id',
      'cycle',
      '`parent_account_id` must not be the account itself or one of its descendants.',
    )
  if (ancestorIds.length + levels > maxLevels)
    throw invalid(
      'body',
      '/parent_account_id',
      'depth',
      `Accounts cannot be nested more than ${maxLevels} levels deep.`,
    )
}

export function assertNoOpenDeals(open_opportunities: number): void {
  if (open_opportunities > 0)
    throw conflict('has_dependents', 'The account has open deals. Close or delete them first.', {
      counts: { open_opportunities },
    })
}
