import type { TenantTx } from '#platform/db'

export async function updateRecordTags(
  tx: TenantTx,
  kind: 'lead' | 'contact',
  id: string,
  tags: readonly string[],
): Promise<void> {
  const table = kind === 'lead' ? 'crm.leads' : 'crm.contacts'
  await tx
    .updateTable(table)
    .set({ tags: [...tags] })
    .where('id', '=', id)
    .execute()
}
