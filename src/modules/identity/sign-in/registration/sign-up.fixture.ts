import type { startTestApp } from '#testing'

type App = Awaited<ReturnType<typeof startTestApp>>
export type SignupTenant = Awaited<ReturnType<App['tenant']>>

export const chosenPassword = 'seven green bicycles'

export async function createSignupTenant(
  app: Pick<App, 'tenant'>,
  signup: object = { policy: 'open' },
): Promise<SignupTenant> {
  const acme = await app.tenant()
  await setSignup(acme, signup)
  return acme
}

export const setSignup = (acme: SignupTenant, signup: object) => acme.admin.patch('/api/admin/settings', { signup })

export const postSignUp = (acme: SignupTenant, email: string, fields: object = {}) =>
  acme.anonymous.post('/api/auth/signup', { email, password: chosenPassword, name: 'Ada Lovelace', ...fields })

export async function signUpUser(acme: SignupTenant, email: string) {
  const { body } = await postSignUp(acme, email)
  return { ...acme.bearer(`Bearer ${body.access_token}`), userId: body.user.id as string, email }
}

/** Waits for `count` emails and returns the token of the newest. */
export async function readEmailedToken({ mails }: Pick<App, 'mails'>, email: string, count = 1): Promise<string> {
  const mail = (await mails(email, count)).at(count - 1)
  return /\/verify-email#token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
}
