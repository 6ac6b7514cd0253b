import { translate } from '../language.ts'

const problems: Readonly<Record<string, string>> = {
  invalid_credentials: 'The password is not correct.',
  account_locked: 'Too many attempts. Wait a few minutes and try again.',
  rate_limited: 'Too many attempts. Wait a moment and try again.',
  unreachable: 'The server could not be reached. Check your connection.',
}

export const sessionTexts = translate('sessionTexts', {
  title: 'Sign in to continue',
  nothingLost: 'Your session has ended. Nothing is lost: what you typed is kept.',
  password: (email: string) => `Password of ${email}`,
  signIn: (name: string) => `Sign in as ${name}`,
  signOut: 'Sign in as another user',
  inNewTab: 'Sign in in a new tab. This page continues by itself.',
  waiting: 'Waiting for the sign-in in the other tab.',
  problem: (code: string): string => problems[code] ?? 'Signing in failed. Try again.',
})
