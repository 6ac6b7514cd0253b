import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { type NamedKey, parseKeys } from './keys.ts'

/** Identifies the stored value. A secret sealed for one location cannot be opened in another. */
export type SecretLocation = { tenantId: string; table: string; column: string; row: string }
export type SealedSecret = { kid: string; ciphertext: Buffer }
export type SecretBox = {
  seal(plain: string | Buffer, location: SecretLocation): SealedSecret
  open(sealed: SealedSecret, location: SecretLocation): string
  openBytes(sealed: SealedSecret, location: SecretLocation): Buffer
}

/** Does not say why decryption failed, because that would help an attacker. */
export class SecretDecryptionError extends Error {
  override readonly name = 'SecretDecryptionError'

  constructor(message = 'The stored secret cannot be read.') {
    super(message)
  }
}

const nonceBytes = 12
const tagBytes = 16

export function createSecretBox(keys: string): SecretBox {
  const allKeys = parseKeys('SECRETS_KEYS', keys)
  const [sealingKey] = allKeys as [NamedKey]
  const openBytes: SecretBox['openBytes'] = ({ kid, ciphertext }, location) => {
    const openingKey = allKeys.find((candidate) => candidate.kid === kid)
    if (!openingKey) throw new SecretDecryptionError('The stored secret needs a key that is not in SECRETS_KEYS.')
    return decrypt(openingKey.key, ciphertext, location)
  }
  return {
    seal: (plain, location) => ({
      kid: sealingKey.kid,
      ciphertext: encrypt(sealingKey.key, typeof plain === 'string' ? Buffer.from(plain) : plain, location),
    }),
    open: (sealed, location) => openBytes(sealed, location).toString('utf8'),
    openBytes,
  }
}

function encrypt(master: Buffer, plain: Buffer, location: SecretLocation): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', deriveDataKey(master, location.tenantId), nonce, {
    authTagLength: tagBytes,
  })
  cipher.setAAD(additionalData(location))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(master: Buffer, ciphertext: Buffer, location: SecretLocation): Buffer {
  if (ciphertext.length < nonceBytes + tagBytes) throw new SecretDecryptionError()
  const nonce = ciphertext.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', deriveDataKey(master, location.tenantId), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAAD(additionalData(location))
  decipher.setAuthTag(ciphertext.subarray(-tagBytes))
  const body = decipher.update(ciphertext.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([body, decipher.final()])
  } catch {
    throw new SecretDecryptionError()
  }
}

const deriveDataKey = (master: Buffer, tenantId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, tenantId, 'tributary secrets v1', 32))

/** JSON keeps the parts unambiguous, so that two locations never have the same bytes. */
const additionalData = ({ tenantId, table, column, row }: SecretLocation): Buffer =>
  Buffer.from(JSON.stringify([table, column, tenantId, row]))
