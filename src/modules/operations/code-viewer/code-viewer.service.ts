import { readSettings } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { SourceCode, SourceFile } from './source-files.ts'

export async function assertCodeViewerEnabled(tx: TenantTx): Promise<void> {
  const { code_viewer_enabled } = await readSettings(tx, 'security')
  if (!code_viewer_enabled) throw notFound('code viewer')
}

export async function getCodeFile(tx: TenantTx, { files }: SourceCode, path: string): Promise<SourceFile> {
  await assertCodeViewerEnabled(tx)
  const file = files.get(path)
  if (!file) throw notFound('file')
  await recordAudit(tx, 'code_file.viewed', { id: null, label: path })
  return file
}
