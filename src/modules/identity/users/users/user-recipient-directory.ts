import type { Config } from '#platform/config'
import type { RecipientDirectory } from '#platform/notify'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { getTenant } from '../../workspace/tenants/tenants.queries.ts'
import { workspaceUrl } from '../../workspace/tenants/tenants.rules.ts'
import { findUser } from '../../workspace/user-records/users.queries.ts'

export const userRecipientDirectory = (config: Config): RecipientDirectory => ({
  async find(tx, userId) {
    const user = await findUser(tx, userId)
    if (!user) return undefined
    const preferences = (user.notification_preferences ?? {}) as Record<string, { in_app?: boolean; email?: boolean }>
    // Users of the sample data do not exist, and neither do their email addresses.
    const isActive = user.status === 'active' && user.source !== 'sample'
    return { name: user.name, email: user.email, isActive, preferences }
  },
  async workspace(tx) {
    const [tenant, branding] = [await getTenant(tx), await readSettings(tx, 'branding')]
    return { name: tenant.name, branding, urlOf: (path) => workspaceUrl(config, tenant.slug, path) }
  },
})
