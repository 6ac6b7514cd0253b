import type { startTestApp, TestResponse } from '#testing'

type App = Awaited<ReturnType<typeof startTestApp>>
type PageResponse = { status: number; location: string | null; cookies: string[]; page: string }

/** Minimal browser: follows redirects, keeps cookies per host and submits the provider's sign-in form. */
export function openBrowser({ client, domain }: Pick<App, 'client' | 'domain'>) {
  const jar = new Map<string, Map<string, string>>()
  const cookiesOf = (host: string) => [...(jar.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const storeCookies = (host: string, cookies: string[]) => {
    const stored = jar.get(host) ?? new Map()
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/max-age=0\b/i.test(cookie)) stored.delete(name)
      else stored.set(name, value)
    }
    jar.set(host, stored)
  }

  async function load(url: URL, form?: URLSearchParams): Promise<PageResponse> {
    const cookie = cookiesOf(url.hostname)
    const response = url.hostname.endsWith(domain)
      ? await loadFromApp(url, cookie)
      : await loadFromProvider(url, cookie, form)
    storeCookies(url.hostname, response.cookies)
    return response
  }

  async function loadFromApp(url: URL, cookie: string): Promise<PageResponse> {
    const { status, headers, text } = await client({ host: url.host }).get(`${url.pathname}${url.search}`, { cookie })
    return { status, location: headers.location ?? null, cookies: [headers['set-cookie'] ?? []].flat(), page: text }
  }

  async function loadFromProvider(url: URL, cookie: string, form?: URLSearchParams): Promise<PageResponse> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    })
    const { status, headers } = response
    return { status, location: headers.get('location'), cookies: headers.getSetCookie(), page: await response.text() }
  }

  /** Follows redirects until a page of the workspace is reached or `stop` returns true. */
  async function follow(from: string, login: string, stop: (url: URL) => boolean = () => false): Promise<URL> {
    let url = new URL(from)
    let form: URLSearchParams | undefined
    for (let redirects = 0; redirects < 20; redirects++) {
      if (stop(url) || (url.hostname.endsWith(domain) && !url.pathname.startsWith('/api/'))) return url
      const { status, location, page } = await load(url, form)
      form = undefined
      if (location) url = new URL(location, url)
      else if (page.includes('name="login"')) form = new URLSearchParams({ prompt: 'login', login, password: 'x' })
      else throw new Error(`${url} returned ${status}: ${page.slice(0, 200)}`)
    }
    throw new Error(`Too many redirects: ${url}`)
  }

  return {
    visit: (url: string) => load(new URL(url)),
    signOn: (start: string, login: string) => follow(start, login),
    signOnUpToCallback: (start: string, login: string) =>
      follow(start, login, ({ pathname }) => pathname.endsWith('/callback')),
    followFrom: (url: URL | string) => follow(String(url), ''),
    cookies: (host: string) => cookiesOf(host),
    exchange: (host: string, code: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
      client({ host }).post('/api/auth/sso/exchange', { code }, { cookie: cookiesOf(host), ...headers }),
  }
}

export const fragmentOf = (url: URL | string) => Object.fromEntries(new URLSearchParams(new URL(url).hash.slice(1)))
