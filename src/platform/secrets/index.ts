export { generateKeyEntry, type NamedKey, parseKeys } from './keys.ts'
export {
  createSecretBox,
  type SealedSecret,
  type SecretBox,
  SecretDecryptionError,
  type SecretLocation,
} from './secret-box.ts'
export { createSignedTokens, type SignedTokens } from './signed-tokens.ts'
export { createTaggedTokens, type TaggedTokens } from './tagged-tokens.ts'
export { areSecretsEqual, generateSecretToken, hashToken } from './tokens.ts'
