import type { Config } from '#platform/config'
import { createTaggedTokens, type TaggedTokens } from '#platform/secrets'

type SigningConfig = Pick<Config, 'SIGNING_KEYS'>

const tokensByConfig = new WeakMap<SigningConfig, TaggedTokens>()

/** The tokens of unsubscribe links. Emails of earlier versions have tokens without a tag, which only the database knows. */
export function unsubscribeTokensOf({ config }: { config: SigningConfig }): TaggedTokens {
  const tokens = tokensByConfig.get(config) ?? createTaggedTokens(config.SIGNING_KEYS, 'unsubscribe links')
  tokensByConfig.set(config, tokens)
  return tokens
}
