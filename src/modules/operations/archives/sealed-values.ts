import type { SecretBox, SecretLocation } from '#platform/secrets'

/** Key of the encrypted values of a row; no column has such a name. */
const sealedKey = '$sealed'

const locationOf = (tenantId: string, table: string): SecretLocation => ({
  tenantId,
  table,
  column: sealedKey,
  row: 'archive',
})

type Sealing = { secrets: SecretBox; tenantId: string; table: string }

/** Adds values to the JSON text of a row that only the same workspace, with the same keys, can read. */
export function sealValues({ secrets, tenantId, table }: Sealing, line: string, values: string): string {
  const { kid, ciphertext } = secrets.seal(values, locationOf(tenantId, table))
  const sealed = JSON.stringify({ kid, value: ciphertext.toString('base64') })
  const fields = line.slice(1, -1)
  return `{${fields}${fields && ','}"${sealedKey}":${sealed}}`
}

type SealedRow = { [sealedKey]?: { kid: string; value: string } }

/** Returns the row with its values in place of their encrypted form, or undefined if they cannot be decrypted. */
export function openValues({ secrets, tenantId, table }: Sealing, line: string): string | undefined {
  const start = line.lastIndexOf(`"${sealedKey}":`)
  const sealed = (JSON.parse(line) as SealedRow)[sealedKey]
  if (!sealed) return undefined
  try {
    const opened = { kid: sealed.kid, ciphertext: Buffer.from(sealed.value, 'base64') }
    return `${line.slice(0, start)}${secrets.open(opened, locationOf(tenantId, table)).slice(1)}`
  } catch {
    return undefined
  }
}
