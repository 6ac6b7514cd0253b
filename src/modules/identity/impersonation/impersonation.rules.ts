import { conflict, forbidden, roleRequired } from '#platform/errors'
import type { SecuritySettings } from '../settings/settings.schemas.ts'

type Settings = Pick<SecuritySettings, 'impersonation_enabled' | 'impersonation_admin_targets'>
type Party = { id: string; role: string; status: string }

export function assertImpersonationEnabled({ impersonation_enabled }: Settings): void {
  if (!impersonation_enabled)
    throw forbidden(
      'impersonation_not_allowed',
      'This workspace does not let admins act as somebody else. It can be switched on in the security settings.',
    )
}

export function assertMayActAs(admin: Party | undefined, target: Party, settings: Settings): void {
  // The gate has let an admin through; they may have been demoted since.
  if (admin?.role !== 'admin' || admin.status !== 'active') throw roleRequired('This needs the role admin.')
  if (admin.id === target.id) throw conflict('self_change', 'You are this person already. Name somebody else.')
  if (target.role === 'admin' && !settings.impersonation_admin_targets)
    throw forbidden('impersonation_not_allowed', 'Nobody may act as an admin in this workspace.')
  if (target.status !== 'active')
    throw conflict('conflict', 'This user is not active, so there is nothing they could do.')
}
