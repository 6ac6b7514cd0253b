import { operatorActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { enterTenant, type SystemTx, type TenantTx } from '#platform/db'
import type { SecretBox } from '#platform/secrets'
import { storeSecret } from '../../workspace/settings/tenant-secrets.service.ts'
import { assertValidSlug, type OperatorContext } from '../../workspace/tenants/tenants.rules.ts'
import { insertMissingCredentials } from '../../workspace/user-records/credentials.queries.ts'
import { createTenantRow } from './create-tenant.service.ts'

export type NewImportedTenant = {
  id: string
  slug: string
  name: string
  context: OperatorContext
  /** Secrets that no archive contains, such as the key of hashes in its rows. */
  secrets?: { box: SecretBox; values: Record<string, string> }
}

export async function createImportedTenant<T>(
  system: SystemTx,
  { id, slug, name, context, secrets }: NewImportedTenant,
  insertRows: (tx: TenantTx) => Promise<T>,
): Promise<T> {
  assertValidSlug(slug, context.config.RESERVED_SLUGS)
  await createTenantRow(system, { id, slug, name }, context.now)
  const tx = await enterTenant(system, operatorActor(id))
  const imported = await insertRows(tx)
  await insertMissingCredentials(tx)
  if (secrets) for (const [key, value] of Object.entries(secrets.values)) await storeSecret(tx, secrets.box, key, value)
  await recordAudit(tx, 'tenant.imported', { id, label: slug, after: { slug, name } })
  return imported
}
