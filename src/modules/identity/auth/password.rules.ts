import { invalid } from '#platform/errors'
import { isCommonPassword } from './common-passwords.ts'

export const maxPasswordLength = 128
/** Shorter names occur in other words by chance. */
const tellingLength = 5

/** What a password must not give away, and how long the workspace wants it. */
export type PasswordContext = {
  minLength: number
  slug: string
  tenantName: string
  email: string
  name?: string | null
}

/** No composition rules: length, and nothing an attacker would try first. */
export function assertAcceptablePassword(password: string, context: PasswordContext, path = '/new_password'): void {
  const refuse = (code: string, message: string) => invalid('body', path, code, message)
  const length = [...password].length
  if (length < context.minLength)
    throw refuse('minLength', `The password must have at least ${context.minLength} characters.`)
  if (length > maxPasswordLength)
    throw refuse('maxLength', `The password must have at most ${maxPasswordLength} characters.`)
  if (isCommonPassword(password))
    throw refuse('common_password', 'This password is among the first that are tried. Choose another one.')
  if (givesAway(password, context))
    throw refuse('contextual_password', 'The password contains a name from this workspace. Choose another one.')
}

export function assertOtherPassword(isSame: boolean, path = '/new_password'): void {
  if (isSame) throw invalid('body', path, 'unchanged', 'This is the password you have now. Choose another one.')
}

function givesAway(password: string, { slug, tenantName, email, name }: PasswordContext): boolean {
  const lower = password.toLowerCase()
  const localPart = email.slice(0, email.lastIndexOf('@'))
  return ['tributary', slug, tenantName, localPart, name ?? '']
    .map((word) => word.toLowerCase())
    .some((word) => word !== '' && (lower === word || (word.length >= tellingLength && lower.includes(word))))
}
