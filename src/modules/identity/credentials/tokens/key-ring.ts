import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Config } from '#platform/config'
import { isProduction } from '#platform/config'
import { type NamedKey, parseKeys } from '#platform/secrets'

export type SigningKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject }

export type KeyRing = { current: SigningKey; find(kid: string): SigningKey | undefined }

const maxKeys = 3
/** PKCS #8 header for a raw Ed25519 seed. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

export function createKeyRing(config: Pick<Config, 'SIGNING_KEYS' | 'NODE_ENV'>): KeyRing {
  const named =
    config.SIGNING_KEYS || isProduction(config) ? parseKeys('SIGNING_KEYS', config.SIGNING_KEYS) : ephemeralKey()
  if (named.length > maxKeys) throw new Error(`SIGNING_KEYS must hold at most ${maxKeys} keys: remove the oldest`)
  const keys = named.map(toSigningKey)
  return { current: keys[0]!, find: (kid) => keys.find((key) => key.kid === kid) }
}

function toSigningKey({ kid, key: seed }: NamedKey): SigningKey {
  const der = Buffer.concat([pkcs8Prefix, seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { kid, privateKey, publicKey: createPublicKey(privateKey) }
}

let ephemeral: NamedKey | undefined

/** Outside production keys are optional: the process generates one for its lifetime. */
function ephemeralKey(): NamedKey[] {
  ephemeral ??= { kid: 'ephemeral', key: randomBytes(32) }
  return [ephemeral]
}
