import type { Answer, startTestApp } from '#testing'

type App = Awaited<ReturnType<typeof startTestApp>>
type Step = { status: number; location: string | null; cookies: string[]; page: string }

/** A browser as far as a sign-on needs one: it follows redirects, keeps cookies by host, and fills in the provider's form. */
export function openBrowser({ client, domain }: Pick<App, 'client' | 'domain'>) {
  const jar = new Map<string, Map<string, string>>()
  const cookiesOf = (host: string) => [...(jar.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const keep = (host: string, cookies: string[]) => {
    const kept = jar.get(host) ?? new Map()
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/max-age=0\b/i.test(cookie)) kept.delete(name)
      else kept.set(name, value)
    }
    jar.set(host, kept)
  }

  async function step(url: URL, form?: URLSearchParams): Promise<Step> {
    const cookie = cookiesOf(url.hostname)
    const taken = url.hostname.endsWith(domain) ? await ofOurs(url, cookie) : await ofOthers(url, cookie, form)
    keep(url.hostname, taken.cookies)
    return taken
  }

  async function ofOurs(url: URL, cookie: string): Promise<Step> {
    const { status, headers, text } = await client({ host: url.host }).get(`${url.pathname}${url.search}`, { cookie })
    return { status, location: headers.location ?? null, cookies: [headers['set-cookie'] ?? []].flat(), page: text }
  }

  async function ofOthers(url: URL, cookie: string, form?: URLSearchParams): Promise<Step> {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    })
    const { status, headers } = answer
    return { status, location: headers.get('location'), cookies: headers.getSetCookie(), page: await answer.text() }
  }

  /** Goes on from here until it is back in the workspace, or at the callback if it is to stop there. */
  async function follow(from: string, login: string, stop: (url: URL) => boolean = () => false): Promise<URL> {
    let url = new URL(from)
    let form: URLSearchParams | undefined
    for (let steps = 0; steps < 20; steps++) {
      if (stop(url) || (url.hostname.endsWith(domain) && !url.pathname.startsWith('/api/'))) return url
      const { status, location, page } = await step(url, form)
      form = undefined
      if (location) url = new URL(location, url)
      else if (page.includes('name="login"')) form = new URLSearchParams({ prompt: 'login', login, password: 'x' })
      else throw new Error(`${url} answered ${status}: ${page.slice(0, 200)}`)
    }
    throw new Error(`There was no end to it: ${url}`)
  }

  return {
    /** Where the workspace sends it, and what it is told to keep. */
    visit: (url: string) => step(new URL(url)),
    signOn: (start: string, login: string) => follow(start, login),
    /** Everything but the way back: the address the provider sends it to. */
    signOnUpToCallback: (start: string, login: string) =>
      follow(start, login, ({ pathname }) => pathname.endsWith('/callback')),
    goOn: (url: URL | string) => follow(String(url), ''),
    cookies: (host: string) => cookiesOf(host),
    exchange: (host: string, code: string, headers: Record<string, string> = {}): Promise<Answer> =>
      client({ host }).post('/api/auth/sso/exchange', { code }, { cookie: cookiesOf(host), ...headers }),
  }
}

/** What stands behind the # of an address. */
export const fragmentOf = (url: URL | string) => Object.fromEntries(new URLSearchParams(new URL(url).hash.slice(1)))
