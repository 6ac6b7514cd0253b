import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { type NamedKey, readKeys } from './keys.ts'

/** Where a secret is stored. Sealed for one place, it cannot be opened in another. */
export type SecretPlace = { tenantId: string; table: string; column: string; row: string }
export type SealedSecret = { kid: string; ciphertext: Buffer }
export type SecretBox = {
  seal(plain: string, place: SecretPlace): SealedSecret
  open(sealed: SealedSecret, place: SecretPlace): string
}

/** Deliberately says no more: why it failed would help only whoever tampered. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'

  constructor(message = 'The stored secret cannot be read.') {
    super(message)
  }
}

const nonceBytes = 12
const tagBytes = 16

/** `keys` as SECRETS_KEYS gives them: the first one seals, all of them open. */
export function openSecretBox(keys: string): SecretBox {
  const ring = readKeys('SECRETS_KEYS', keys)
  const [sealing] = ring as [NamedKey]
  return {
    seal: (plain, place) => ({ kid: sealing.kid, ciphertext: encrypt(sealing.key, plain, place) }),
    open({ kid, ciphertext }, place) {
      const opening = ring.find((one) => one.kid === kid)
      if (!opening) throw new SecretUnreadable('The stored secret needs a key that SECRETS_KEYS does not hold.')
      return decrypt(opening.key, ciphertext, place)
    },
  }
}

function encrypt(master: Buffer, plain: string, place: SecretPlace): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', dataKey(master, place.tenantId), nonce, { authTagLength: tagBytes })
  cipher.setAAD(addressOf(place))
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function decrypt(master: Buffer, ciphertext: Buffer, place: SecretPlace): string {
  if (ciphertext.length < nonceBytes + tagBytes) throw new SecretUnreadable()
  const nonce = ciphertext.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', dataKey(master, place.tenantId), nonce, { authTagLength: tagBytes })
  decipher.setAAD(addressOf(place))
  decipher.setAuthTag(ciphertext.subarray(-tagBytes))
  const body = decipher.update(ciphertext.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([body, decipher.final()]).toString('utf8')
  } catch {
    throw new SecretUnreadable()
  }
}

/** Each tenant has its own key, so that no two tenants' secrets ever share one. */
const dataKey = (master: Buffer, tenantId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, tenantId, 'tributary secrets v1', 32))

/** As JSON, so that no two places run together into the same bytes. */
const addressOf = ({ tenantId, table, column, row }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify([table, column, tenantId, row]))
