import { conflict, invalid } from '#platform/errors'

const maxLevels = 5

/** `above` is the future parent and its own parents; `levels` is how many levels the account and those below it take. */
export function assertFits(accountId: string | null, above: readonly string[], levels: number): void {
  if (accountId !== null && above.includes(accountId))
    throw invalid('body', '/parent_account_id', 'cycle', 'An account cannot stand below itself or one of its own.')
  if (above.length + levels > maxLevels)
    throw invalid('body', '/parent_account_id', 'depth', `Accounts are nested at most ${maxLevels} levels deep.`)
}

/** A deal that is still open needs somebody it is made with. */
export function assertNoOpenDeals(open_opportunities: number): void {
  if (open_opportunities > 0)
    throw conflict('has_dependents', 'There are open deals with this account. Close or delete them first.', {
      counts: { open_opportunities },
    })
}
