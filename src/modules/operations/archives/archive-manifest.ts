import { type Static, Type } from 'typebox'
import { strict } from '#platform/schema'

export const archiveFormat = 1
export const manifestName = 'manifest.json'

const Part = strict({ name: Type.String(), rows: Type.Integer(), sha256: Type.String() })

/**
 * Last entry of an archive. Tables are in the order in which an import can insert them, with their readable rows. `key_check` is
 * an empty text, encrypted as the sealed part is.
 */
export const Manifest = strict({
  format: Type.Literal(archiveFormat),
  schema_version: Type.String(),
  workspace: strict({ slug: Type.String(), name: Type.String() }),
  created_at: Type.String(),
  tables: Type.Array(
    strict({
      name: Type.String(),
      columns: Type.Array(Type.String()),
      /** Columns whose values are encrypted. */
      sealed: Type.Optional(Type.Array(Type.String())),
      rows: Type.Integer(),
      parts: Type.Array(Part),
    }),
  ),
  files: Type.Array(strict({ id: Type.String(), size: Type.Integer(), sha256: Type.String() })),
  sealed: Type.Optional(
    strict({
      workspace_id: Type.String(),
      kid: Type.String(),
      key_check: Type.String(),
      parts: Type.Array(strict({ name: Type.String(), sha256: Type.String() })),
    }),
  ),
})
export type Manifest = Static<typeof Manifest>

export const rowCountsOf = ({ tables }: Manifest): Record<string, number> =>
  Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
