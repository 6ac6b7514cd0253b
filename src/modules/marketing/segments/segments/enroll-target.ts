import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { defineExtensionPoint, type Services } from '#platform/module'

export type EnrollOptions = { member_status?: string; sender_id?: string }

/** `skipped` counts members by reason, such as `already_member`. A flow offers those in `rejectedIds` again at its next run. */
export type EnrollResult = { enrolled: number; skipped: Record<string, number>; rejectedIds?: readonly string[] }

/** `requestKey` is the same in all batches of a request or flow. */
export type OfferedRecords = { objectType: 'lead' | 'contact'; ids: readonly string[]; now: Date; requestKey: string }

/** A resource that members of a segment can be enrolled into, such as a campaign. */
export type EnrollTarget = {
  type: string
  /** Required in addition to `segments.write`. */
  scope: Scope
  /** Whether the option `sender_id` has an effect. */
  usesSender?: true
  /** Targets that are missing are left out. */
  findNames(tx: TenantTx, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Rejects the request if the target is missing, cannot take members or the options are invalid or not allowed. */
  assertEnrollable(tx: TenantTx, actor: UserActor, targetId: string, options: EnrollOptions): Promise<void>
  /** Enrolls one batch of records of the object type in few statements. */
  enroll(
    tx: TenantTx,
    actor: UserActor,
    targetId: string,
    records: OfferedRecords,
    options: EnrollOptions,
    services: Pick<Services, 'secrets'>,
  ): Promise<EnrollResult>
}

export const enrollTargetPoint = defineExtensionPoint<EnrollTarget>('targets of segment enrollments')
