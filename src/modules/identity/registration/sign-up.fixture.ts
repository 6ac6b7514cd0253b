import type { startTestApp } from '#testing'

type App = Awaited<ReturnType<typeof startTestApp>>
export type Tenant = Awaited<ReturnType<App['tenant']>>

export const chosen = 'seven green bicycles'

/** A workspace that takes people in. */
export async function openDoor(app: Pick<App, 'tenant'>, signup: object = { policy: 'open' }): Promise<Tenant> {
  const acme = await app.tenant()
  await setSignup(acme, signup)
  return acme
}

export const setSignup = (acme: Tenant, signup: object) => acme.admin.patch('/api/admin/settings', { signup })

export const signUp = (acme: Tenant, email: string, given: object = {}) =>
  acme.anonymous.post('/api/auth/signup', { email, password: chosen, name: 'Ada Lovelace', ...given })

/** Somebody who has signed up, with the tokens of the answer. */
export async function newcomer(acme: Tenant, email: string) {
  const { body } = await signUp(acme, email)
  return { ...acme.bearer(`Bearer ${body.access_token}`), userId: body.user.id as string, email }
}

/** The token of the newest of so many mails to an address. */
export async function mailedToken({ mails }: Pick<App, 'mails'>, email: string, count = 1): Promise<string> {
  const mail = (await mails(email, count)).at(count - 1)
  return /\/verify-email#token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
}
