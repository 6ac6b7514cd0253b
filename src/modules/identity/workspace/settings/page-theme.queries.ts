import { createHash } from 'node:crypto'
import type { TenantTx } from '#platform/db'
import type { PageTheme } from '#platform/html'
import { readSettings } from './settings.queries.ts'

/** Reads color and logo of the pages of a workspace. The logo is served by this host. */
export async function readPageTheme(tx: TenantTx, workspace: string): Promise<PageTheme> {
  const { primary_color: color, logo_url } = await readSettings(tx, 'branding')
  return { workspace, color, logoUrl: logo_url === null ? null : `/branding/logo?v=${versionOf(logo_url)}` }
}

const versionOf = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 12)
