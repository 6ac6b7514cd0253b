import { conflict, forbidden, roleRequired } from '#platform/errors'
import type { SecuritySettings } from '../../workspace/settings/settings.schemas.ts'

type Settings = Pick<SecuritySettings, 'impersonation_enabled' | 'impersonation_admin_targets'>
type Party = { id: string; role: string; status: string }

export function assertImpersonationEnabled({ impersonation_enabled }: Settings): void {
  if (!impersonation_enabled)
    throw forbidden(
      'impersonation_not_allowed',
      'Impersonation is disabled in this workspace. It can be enabled in the security settings.',
    )
}

export function assertCanImpersonate(admin: Party | undefined, target: Party, settings: Settings): void {
  // The role may have changed since the request was authenticated.
  if (admin?.role !== 'admin' || admin.status !== 'active') throw roleRequired('This action requires the role admin.')
  if (admin.id === target.id) throw conflict('self_change', 'You cannot impersonate yourself.')
  if (target.role === 'admin' && !settings.impersonation_admin_targets)
    throw forbidden('impersonation_not_allowed', 'Admins cannot be impersonated in this workspace.')
  if (target.status !== 'active') throw conflict('conflict', 'Only active users can be impersonated.')
}
