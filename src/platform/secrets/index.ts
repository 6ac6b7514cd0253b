export { generateKeyEntry, type NamedKey, parseKeys } from './keys.ts'
export {
  createSecretBox,
  type SealedSecret,
  type SecretBox,
  SecretDecryptionError,
  type SecretLocation,
} from './secret-box.ts'
export { createSignedTokens, type SignedTokens } from './signed-tokens.ts'
export {
  areSecretsEqual,
  createTaggedTokens,
  generateSecretToken,
  hashToken,
  type TaggedTokens,
} from './tagged-tokens.ts'
