import { invalid } from '#platform/errors'
import { isCommonPassword } from './common-passwords.ts'

export const maxPasswordLength = 128
/** Shorter names are ignored; they would match by accident. */
const minNameLength = 5

export type PasswordContext = {
  minLength: number
  slug: string
  tenantName: string
  email: string
  name?: string | null
}

export function assertAcceptablePassword(password: string, context: PasswordContext, path = '/new_password'): void {
  const rejected = (code: string, message: string) => invalid('body', path, code, message)
  const length = [...password].length
  if (length < context.minLength)
    throw rejected('minLength', `The password must have at least ${context.minLength} characters.`)
  if (length > maxPasswordLength)
    throw rejected('maxLength', `The password must have at most ${maxPasswordLength} characters.`)
  if (isCommonPassword(password)) throw rejected('common_password', 'This password is too common. Choose another one.')
  if (containsContextWord(password, context))
    throw rejected(
      'contextual_password',
      'The password must not contain your name, your email address or the name of the workspace.',
    )
}

export function assertPasswordChanged(isSame: boolean, path = '/new_password'): void {
  if (isSame) throw invalid('body', path, 'unchanged', 'The new password must differ from the current password.')
}

/** Lowercase words that are easy to guess for a password of this account. */
export const listContextWords = ({ slug, tenantName, email, name }: Omit<PasswordContext, 'minLength'>): string[] =>
  ['tributary', slug, tenantName, email.slice(0, email.lastIndexOf('@')), name ?? '']
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '')

function containsContextWord(password: string, context: PasswordContext): boolean {
  const lower = password.toLowerCase()
  return listContextWords(context).some(
    (word) => lower === word || (word.length >= minNameLength && lower.includes(word)),
  )
}
