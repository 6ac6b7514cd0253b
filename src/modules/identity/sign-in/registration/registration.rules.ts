import { forbidden } from '#platform/errors'
import { emailDomainOf } from '../../workspace/settings/settings.rules.ts'
import type { SignupSettings, SsoSettings } from '../../workspace/settings/settings.schemas.ts'

type Policy = {
  signup: Pick<SignupSettings, 'policy' | 'allowed_email_domains'>
  sso: Pick<SsoSettings, 'enforced'>
}

/** Sign-up creates a password, which would bypass enforced single sign-on. */
export function assertSignupPolicy({ signup, sso }: Policy, email: string): void {
  if (signup.policy === 'closed')
    throw signupNotAllowed('This workspace does not allow sign-up. Ask an admin for an invitation.')
  if (sso.enforced) throw forbidden('sso_required', 'This workspace requires single sign-on.')
  if (signup.policy === 'domain' && !signup.allowed_email_domains.includes(emailDomainOf(email)))
    throw signupNotAllowed(
      'This workspace does not allow sign-up with this email domain. Use your company email address, or ask an admin for an invitation.',
    )
}

const signupNotAllowed = (message: string) => forbidden('signup_not_allowed', message)
