import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { findOrCreateSecret, readSecret } from '#modules/identity'
import type { Config } from '#platform/config'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { createTaggedTokens, type TaggedTokens } from '#platform/secrets'

export type UnsubscribeLink = { id: string; address: string; channel: 'email' | 'survey' }
type SigningConfig = Pick<Config, 'SIGNING_KEYS'>

const keyName = 'crm.unsubscribe_key'
const [nonceLength, authTagLength, idLength] = [12, 16, 16]
const channels = ['email', 'survey'] as const

const tokensByConfig = new WeakMap<SigningConfig, TaggedTokens>()

/** The tags of unsubscribe links. Emails of earlier versions have tokens without a tag, which only the database knows. */
export function unsubscribeTokensOf({ config }: { config: SigningConfig }): TaggedTokens {
  const tokens = tokensByConfig.get(config) ?? createTaggedTokens(config.SIGNING_KEYS, 'unsubscribe links')
  tokensByConfig.set(config, tokens)
  return tokens
}

/** Reads the key of the workspace once for any number of tokens. A token contains its link, so that it works without the stored email. */
export async function readUnsubscribeTokens(
  tx: TenantTx,
  { secrets, config }: Pick<Services, 'secrets' | 'config'>,
  slug: string,
): Promise<{ generate(link: UnsubscribeLink): string }> {
  const key = await findOrCreateSecret(tx, secrets, keyName, () => randomBytes(32).toString('base64url'))
  return { generate: (link) => unsubscribeTokensOf({ config }).generate(slug, encryptLink(key, link)) }
}

/** Returns undefined for tokens of earlier versions, and for those that this workspace did not create. */
export async function openUnsubscribeToken(
  tx: TenantTx,
  { secrets, config }: Pick<Services, 'secrets' | 'config'>,
  token: string,
): Promise<UnsubscribeLink | undefined> {
  const encrypted = unsubscribeTokensOf({ config }).payloadOf(token)
  const key = encrypted && (await readSecret(tx, secrets, keyName))
  return key ? decryptLink(key, encrypted) : undefined
}

function encryptLink(key: string, { id, address, channel }: UnsubscribeLink): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), nonce)
  const link = [
    Buffer.from([channels.indexOf(channel)]),
    Buffer.from(id.replaceAll('-', ''), 'hex'),
    Buffer.from(address),
  ]
  const encrypted = [cipher.update(Buffer.concat(link)), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString('base64url')
}

function decryptLink(key: string, encrypted: string): UnsubscribeLink | undefined {
  const bytes = Buffer.from(encrypted, 'base64url')
  if (bytes.length <= nonceLength + authTagLength + 1 + idLength) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), bytes.subarray(0, nonceLength))
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + authTagLength))
    const link = Buffer.concat([decipher.update(bytes.subarray(nonceLength + authTagLength)), decipher.final()])
    const id = link.subarray(1, 1 + idLength).toString('hex')
    return {
      id: [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-'),
      address: link.subarray(1 + idLength).toString(),
      channel: channels[link[0]!]!,
    }
  } catch {
    return undefined
  }
}
