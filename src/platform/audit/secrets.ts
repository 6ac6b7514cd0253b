const redactedMarker = '[redacted]'

const secretName =
  /(^|_)(pass(word|wd|phrase|code)s?|pwd|secrets?|tokens?|hash(es)?|salt|t?otp|cookies?|ciphertext|bearer|authorization|credentials?|signature|(api|private|secret|signing|encryption|access|master|data|recovery)_?(keys?|codes?))(_|$)/
const metadataSuffix = /_(at|on|id|ids|length|seconds|minutes|hours|days|count|prefix)$/

const credentialPatterns = [
  /svc_[a-z]+_[A-Za-z0-9]{16,}/g,
  /whsec_[A-Za-z0-9+/=_-]{16,}/g,
  /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g,
  /\$(argon2|scrypt|2[aby])[a-z]*\$[^\s"']+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*-----|$)/g,
  /(?<=:\/\/)[^\s/@:]{0,200}:[^\s/@]{1,200}(?=@)/g,
]

/** Matches every text with a credential, and few others. */
const mayHaveCredential = /svc_|whsec_|eyJ|\$(?:argon2|scrypt|2)|-----BEGIN |:\/\//

const maxKnownFields = 1_000
const knownFields = new Map<string, boolean>()

/** Checks the name in any spelling: `client_secret`, `clientSecret`, `X-Api-Key`. */
export function isSecretField(field: string): boolean {
  const known = knownFields.get(field)
  if (known !== undefined) return known
  const isSecret = hasSecretName(field)
  if (knownFields.size < maxKnownFields) knownFields.set(field, isSecret)
  return isSecret
}

function hasSecretName(field: string): boolean {
  const name = field
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
  return secretName.test(name) && !metadataSuffix.test(name)
}

/** Redacts secret values recursively. Null and booleans are kept, because they reveal no secret. */
export function redactSecrets(field: string, value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (isSecretField(field)) return redactedMarker
  if (typeof value === 'string') return maskCredentials(value)
  if (Array.isArray(value)) return value.map((item) => redactSecrets('', item))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactSecrets(name, member)]))
}

export const maskCredentials = (text: string): string =>
  mayHaveCredential.test(text)
    ? credentialPatterns.reduce((masked, credential) => masked.replace(credential, redactedMarker), text)
    : text
