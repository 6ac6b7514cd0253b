import { type TenantTx, tenantIdOf } from '#platform/db'
import type { Services } from '#platform/module'
import type { LinkRow } from './links.queries.ts'

const locationOf = (tx: TenantTx, linkId: string) => ({
  tenantId: tenantIdOf(tx),
  table: 'surveys.links',
  column: 'token_cipher',
  row: linkId,
})

export const sealLinkToken = (tx: TenantTx, linkId: string, token: string, { secrets }: Pick<Services, 'secrets'>) =>
  secrets.seal(token, locationOf(tx, linkId))

/** Null in an imported workspace, whose links have no token. */
export function openLinkToken(
  tx: TenantTx,
  { id, token_kid, token_cipher }: LinkRow,
  { secrets }: Pick<Services, 'secrets'>,
): string | null {
  const isKnown = token_kid !== null && token_cipher !== null
  return isKnown ? secrets.open({ kid: token_kid, ciphertext: token_cipher }, locationOf(tx, id)) : null
}
