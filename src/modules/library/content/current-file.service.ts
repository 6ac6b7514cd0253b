import type { TenantTx } from '#platform/db'
import { type FileRow, findFiles } from '#platform/files'
import { findVersion, type VersionRow } from './versions.queries.ts'

export type CurrentFile = { version: VersionRow; file: FileRow }

export async function findCurrentFile(
  tx: TenantTx,
  { current_version_id }: { current_version_id: string | null },
): Promise<CurrentFile | undefined> {
  const version = current_version_id ? await findVersion(tx, current_version_id) : undefined
  if (!version?.file_id) return undefined
  const file = (await findFiles(tx, [version.file_id])).get(version.file_id)
  return file && { version, file }
}
