import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'

/** Finds records of another module that use a custom field, which then is only deleted with `force`. */
export type FieldUse = {
  /** Plural noun for the number of records in `usage`, such as `segments`. */
  name: string
  listIds(tx: TenantTx, field: { object_type: ObjectType; key: string }): Promise<string[]>
}

export const fieldUsePoint = defineExtensionPoint<FieldUse>('uses of custom fields')
