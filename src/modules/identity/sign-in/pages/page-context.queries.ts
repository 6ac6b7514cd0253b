import type { TenantTx } from '#platform/db'
import { readPageTheme, readSettings } from '../../workspace/settings/settings.queries.ts'
import type { GoogleClient } from '../../workspace/settings/settings.rules.ts'
import { listSsoProviders } from '../current-session/providers.queries.ts'
import type { AccountPageContext } from './sign-in-page.ts'

export async function readPageContext(
  tx: TenantTx,
  workspace: string,
  config: GoogleClient,
): Promise<Omit<AccountPageContext, 'language'>> {
  const { password_min_length: minPasswordLength } = await readSettings(tx, 'security')
  const theme = await readPageTheme(tx, workspace)
  return { theme, minPasswordLength, methods: await listSsoProviders(tx, config) }
}
