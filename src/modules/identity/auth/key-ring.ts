import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Config } from '#platform/config'
import { isProduction } from '#platform/config'
import { type NamedKey, readKeys } from '#platform/secrets'

export type SigningKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject }

/** The keys tokens are signed with: the first one signs, the others still vouch for what they signed. */
export type KeyRing = { current: SigningKey; find(kid: string): SigningKey | undefined }

const maxKeys = 3
/** What stands before the seed when an Ed25519 key is written down as PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

export function openKeyRing(config: Pick<Config, 'SIGNING_KEYS' | 'NODE_ENV'>): KeyRing {
  const named = config.SIGNING_KEYS || isProduction(config) ? readKeys('SIGNING_KEYS', config.SIGNING_KEYS) : passing()
  if (named.length > maxKeys) throw new Error(`SIGNING_KEYS holds more than ${maxKeys} keys: drop the oldest`)
  const keys = named.map(toSigningKey)
  return { current: keys[0]!, find: (kid) => keys.find((key) => key.kid === kid) }
}

function toSigningKey({ kid, key: seed }: NamedKey): SigningKey {
  const der = Buffer.concat([pkcs8Prefix, seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { kid, privateKey, publicKey: createPublicKey(privateKey) }
}

let passingKey: NamedKey | undefined

/** Outside production a process may do without keys: it makes one that nobody else has, and forgets it at its end. */
function passing(): NamedKey[] {
  passingKey ??= { kid: 'passing', key: randomBytes(32) }
  return [passingKey]
}
