import { routeNotFound } from '#platform/errors'
import { type RouteConfig, type Routes, sendPage, sendStaticFile } from '#platform/http'
import { signInLimit } from '../auth/auth-limits.ts'
import { getAccountOfLink } from '../passwords/reset-password.flow.ts'
import { readSettings } from '../settings/settings.queries.ts'
import type { AuthServices } from '../tokens/auth-services.ts'
import { type AccountPageTheme, accountPagePaths, buildAccountPage } from './account-pages.ts'
import { loadScripts } from './page-scripts.ts'
import { PasswordLink, ScriptParams, ValidLink } from './pages.schemas.ts'

const schema = { hide: true }
const config: RouteConfig = { public: true }

export const publicPageRoutes =
  ({ clock }: Pick<AuthServices, 'clock'>): Routes =>
  async (app) => {
    const scripts = await loadScripts()

    for (const url of accountPagePaths) {
      app.route({
        method: 'GET',
        url,
        config,
        schema,
        handler: async (request, reply) => {
          const theme = await request.inTenant(async (tx): Promise<AccountPageTheme> => {
            const { primary_color } = await readSettings(tx, 'branding')
            const { password_min_length } = await readSettings(tx, 'security')
            return { workspace: request.tenant.name, color: primary_color, minPasswordLength: password_min_length }
          })
          return sendPage(request, reply, theme, buildAccountPage(url, theme))
        },
      })
    }

    app.route({
      method: 'GET',
      url: '/pages/:file',
      config,
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
      config: { ...config, limits: [signInLimit], allowedInMaintenance: true },
      schema: { ...schema, body: PasswordLink, response: { 200: ValidLink } },
      handler: async (request) => {
        await request.inTenant((tx) => getAccountOfLink(tx, request.body.token, clock.now()))
        return { status: 'valid' as const }
      },
    })
  }
