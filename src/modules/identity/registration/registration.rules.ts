import { forbidden } from '#platform/errors'
import type { SignupSettings, SsoSettings } from '../settings/settings.schemas.ts'

type Policy = {
  signup: Pick<SignupSettings, 'policy' | 'allowed_email_domains'>
  sso: Pick<SsoSettings, 'enforced'>
}

/** Who may come by themselves. Where single sign-on is the only way in, a password would be a way around it. */
export function assertMaySignUp({ signup, sso }: Policy, email: string): void {
  if (signup.policy === 'closed')
    throw notAllowed('This workspace is open to people who are invited. Ask an admin for an invitation.')
  if (sso.enforced) throw forbidden('sso_required', 'This workspace wants you to sign in with single sign-on.')
  if (signup.policy === 'domain' && !signup.allowed_email_domains.includes(domainOf(email)))
    throw notAllowed(
      'Only addresses of certain domains may sign up here. Use the one of your company, or ask an admin for an invitation.',
    )
}

const notAllowed = (message: string) => forbidden('signup_not_allowed', message)

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
