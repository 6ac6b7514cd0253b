import { createHmac } from 'node:crypto'
import { canonicalJson } from '#platform/canonical-json'
import { type Config, isProduction } from '#platform/config'
import { areSecretsEqual, type NamedKey, parseKeys } from '#platform/secrets'
import type { Seal } from './chain.ts'

type SignedValues = Pick<Seal, 'id' | 'epoch' | 'from_xact' | 'to_xact' | 'count' | 'prev_hash' | 'hash'>

export type SealSigner = {
  sign(tenantId: string, seal: SignedValues): { key_id: string; signature: Buffer }
  isAuthentic(tenantId: string, seal: Seal): boolean
}

/** Public, so that development needs no key. Seals signed with it prove nothing. */
const developmentKey = `development:${'A'.repeat(43)}`

export function createSealSigner(config: Pick<Config, 'AUDIT_SEAL_KEYS' | 'NODE_ENV'>): SealSigner {
  const entries = config.AUDIT_SEAL_KEYS || (isProduction(config) ? '' : developmentKey)
  const keys = parseKeys('AUDIT_SEAL_KEYS', entries)
  const [current] = keys as [NamedKey]
  return {
    sign: (tenantId, seal) => ({ key_id: current.kid, signature: signatureOf(current, tenantId, seal) }),
    isAuthentic(tenantId, seal) {
      const key = keys.find(({ kid }) => kid === seal.key_id)
      return key !== undefined && areSecretsEqual(signatureOf(key, tenantId, seal), seal.signature ?? '')
    },
  }
}

function signatureOf({ key }: NamedKey, tenantId: string, seal: SignedValues): Buffer {
  const { id, epoch, from_xact, to_xact, count, prev_hash, hash } = seal
  const values = [tenantId, id, epoch, from_xact, to_xact, count, prev_hash.toString('hex'), hash.toString('hex')]
  return createHmac('sha256', key).update(canonicalJson(values)).digest()
}
