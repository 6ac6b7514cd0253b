import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

/** A part of the user profile from another module; null for a viewer without the scope. */
export type ProfilePart = {
  name: string
  scope: Scope
  load(tx: TenantTx, viewer: UserActor, userId: string, period: { from: Date; to: Date }): Promise<unknown>
}

export const profilePartPoint = defineExtensionPoint<ProfilePart>('parts of the user profile')
