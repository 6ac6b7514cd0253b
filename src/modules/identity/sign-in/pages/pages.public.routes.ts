import { notFound, routeNotFound } from '#platform/errors'
import { choosePageLanguage } from '#platform/html'
import { type RouteConfig, type Routes, sendPublicPage, sendStaticFile } from '#platform/http'
import type { Services } from '#platform/module'
import { listContextWords } from '../../credentials/passwords/password.rules.ts'
import { getAccountOfLink } from '../../credentials/passwords/reset-password.flow.ts'
import { signInLimit } from '../current-session/auth-limits.ts'
import { accountPagePaths, buildAccountPage } from './account-pages.ts'
import { readLogo } from './logo.flow.ts'
import { readPageContext } from './page-context.queries.ts'
import { loadScripts } from './page-scripts.ts'
import { LogoQuery, PasswordLink, ScriptParams, ValidLink } from './pages.schemas.ts'

const schema = { hide: true }
const route: RouteConfig = { public: true }

export const publicPageRoutes =
  (services: Pick<Services, 'clock' | 'config' | 'cache' | 'egress' | 'applicationFiles'>): Routes =>
  async (app) => {
    const { clock, config, applicationFiles } = services
    const scripts = await loadScripts()

    for (const url of accountPagePaths) {
      if (url === '/' && applicationFiles) continue
      app.route({
        method: 'GET',
        url,
        config: route,
        schema,
        handler: async (request, reply) => {
          const language = choosePageLanguage(request.headers['accept-language'])
          const context = await request.inTenant((tx) => readPageContext(tx, request.tenant.name, config))
          return sendPublicPage(request, reply, context.theme, buildAccountPage(url, { ...context, language }))
        },
      })
    }

    app.route({
      method: 'GET',
      url: '/branding/logo',
      config: route,
      schema: { ...schema, querystring: LogoQuery },
      handler: async (request, reply) => {
        const logo = await readLogo(services, (work) => request.inTenant(work), request.tenant.id)
        if (!logo) throw notFound('logo')
        // A logo that is opened as a page must not run scripts.
        const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        return reply
          .headers({ 'cache-control': 'public, max-age=3600', 'content-security-policy': policy })
          .type(logo.type)
          .send(logo.content)
      },
    })

    app.route({
      method: 'GET',
      url: '/pages/:file',
      config: route,
      schema: { ...schema, params: ScriptParams },
      handler: async (request, reply) => {
        const script = scripts.get(request.params.file)
        if (!script) throw routeNotFound(request)
        return sendStaticFile(request, reply, script, 'no-cache')
      },
    })

    app.route({
      method: 'POST',
      url: '/pages/password-link',
      config: { ...route, limits: [signInLimit], allowedInMaintenance: true },
      schema: { ...schema, body: PasswordLink, response: { 200: ValidLink } },
      handler: async (request) => {
        const { token } = request.body
        const { email, name } = await request.inTenant((tx) => getAccountOfLink(tx, token, clock.now()))
        const { slug, name: tenantName } = request.tenant
        return { status: 'valid' as const, email, forbidden_words: listContextWords({ slug, tenantName, email, name }) }
      },
    })
  }
